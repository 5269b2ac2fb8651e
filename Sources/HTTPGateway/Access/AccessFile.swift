internal import Base
internal import WireProtocol

/// The access file: a line for each token, with its hash, and for each webhook, with the file of its secret.
///
///     token grafana sha256:9f86… read climate.* *.alarm stats
///     token phone sha256:60303… read all send home.* call home.*
///     hook github ci.pushes X-Hub-Signature-256 /etc/signalbox/github.secret
struct AccessFile {
  struct Token {
    let name: String
    let hash: [UInt8]
    var grant = Grant()
  }

  private(set) var tokens: [Token] = []
  private(set) var hooks: [Webhook] = []

  init() {}

  /// - Parameters:
  ///   - path: The name of the file, for messages.
  ///   - secret: Reads the file of a secret.
  init(
    _ text: String, path: String, secret: (String) throws(AccessFileError) -> [UInt8]
  ) throws(AccessFileError) {
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let kind = words.first else { continue }
      do throws(AccessFileError) {
        switch kind {
        case "token": try add(Self.token(words))
        case "hook": try add(Self.hook(words, secret))
        default: throw AccessFileError("a line must begin with \"token\" or \"hook\", not \(kind.quoted)")
        }
      } catch { throw AccessFileError("\(path):\(index + 1): \(error.message)") }
    }
  }

  private mutating func add(_ token: Token) throws(AccessFileError) {
    if tokens.contains(where: { $0.name.hasSameBytes(as: token.name) }) {
      throw AccessFileError("duplicate token \(token.name.quoted)")
    }
    tokens.append(token)
  }

  private mutating func add(_ hook: Webhook) throws(AccessFileError) {
    if hooks.contains(where: { $0.name.hasSameBytes(as: hook.name) }) {
      throw AccessFileError("duplicate hook \(hook.name.quoted)")
    }
    hooks.append(hook)
  }

  private static func token(_ words: [String]) throws(AccessFileError) -> Token {
    guard words.count > 3 else {
      throw AccessFileError("a token line has the form: token NAME sha256:HASH read|send|call PATTERN… [stats]")
    }
    guard words[2].hasPrefix("sha256:"), let hash = Hexadecimal.bytes(of: words[2].dropFirst(7)),
      hash.count == SHA256.size
    else {
      throw AccessFileError(
        "the hash of a token must be sha256: and 64 digits, as signalbox-http --new-token prints it, not \(words[2].quoted)"
      )
    }
    var token = Token(name: words[1], hash: hash)
    var right: WritableKeyPath<Grant, Grant.Names>?
    for word in words[3...] {
      switch word {
      case "read": right = \.reads
      case "send": right = \.sends
      case "call": right = \.calls
      case "stats":
        right = nil
        token.grant.seesStats = true
      default:
        guard let right else {
          throw AccessFileError("missing \"read\", \"send\" or \"call\" before \(word.quoted)")
        }
        token.grant[keyPath: right] = try token.grant[keyPath: right].adding(word)
      }
    }
    return token
  }

  private static func hook(
    _ words: [String], _ secret: (String) throws(AccessFileError) -> [UInt8]
  ) throws(AccessFileError) -> Webhook {
    guard words.count == 5 else {
      throw AccessFileError("a hook line has the form: hook NAME SIGNAL HEADER SECRET-FILE")
    }
    guard let signal = SignalPattern(words[2]), signal.isName else {
      throw AccessFileError("a hook needs the name of one signal, not \(words[2].quoted)")
    }
    let key = try secret(words[4])
    if key.isEmpty { throw AccessFileError("the secret in \(words[4]) is empty") }
    guard let hook = Webhook(name: words[1], signal: words[2], header: words[3], written: key) else {
      throw AccessFileError("the secret in \(words[4]) must be whsec_ and Base64, as Standard Webhooks have it")
    }
    return hook
  }
}

/// An error in the access file.
struct AccessFileError: Error, Equatable {
  let message: String

  init(_ message: String) { self.message = message }
}

extension Grant.Names {
  fileprivate func adding(_ word: String) throws(AccessFileError) -> Self {
    if word == "all" { return .all }
    guard let pattern = SignalPattern(word) else {
      throw AccessFileError("\(word.quoted) is neither \"all\" nor \(SignalPattern.expectation)")
    }
    if case .patterns(let patterns) = self { return .patterns(patterns + [pattern]) }
    return self
  }
}
