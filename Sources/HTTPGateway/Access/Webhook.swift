import Base

/// A webhook for services that can only push: its signal, and the secret that signs the bodies.
struct Webhook {
  let name: String
  /// The input that its requests are sent to.
  let signal: String
  /// The header with the signature, such as `X-Hub-Signature-256`.
  let header: String
  let secret: [UInt8]

  /// The ways to sign a request, each told by its header.
  private enum Scheme {
    /// The HMAC-SHA-256 of the body, in hexadecimal digits.
    case code
    /// The secret itself, as GitLab sends it.
    case token
    /// That of Standard Webhooks: the number, the time and the body are signed.
    case standard
  }

  private var scheme: Scheme {
    switch header.lowercased() {
    case "x-gitlab-token": .token
    case "webhook-signature": .standard
    default: .code
    }
  }

  /// The longest time between a signed time and now, in seconds.
  private static let patience = 300

  init(name: String, signal: String, header: String, secret: [UInt8]) {
    (self.name, self.signal, self.header, self.secret) = (name, signal, header, secret)
  }

  /// Reads a secret as it stands in its file; `nil` if it is none for the header.
  init?(name: String, signal: String, header: String, written: [UInt8]) {
    self.init(name: name, signal: signal, header: header, secret: written)
    guard scheme == .standard else { return }
    let text = String(decoding: written, as: UTF8.self)
    guard let secret = Base64.bytes(of: String(text.hasPrefix("whsec_") ? text.dropFirst(6) : text[...])),
      !secret.isEmpty
    else { return nil }
    self.init(name: name, signal: signal, header: header, secret: secret)
  }

  /// Checks that a request is signed with the secret.
  ///
  /// - Parameter now: The seconds since 1970.
  func isSigned(_ request: HTTPRequest, now: Int) -> Bool {
    guard let signature = request.header(header) else { return false }
    switch scheme {
    case .code: return isSigned(request.body, by: signature)
    case .token: return SHA256.isSame(SHA256.digest(of: Array(signature.utf8)), SHA256.digest(of: secret))
    case .standard:
      guard let id = request.header("Webhook-Id"), let time = request.header("Webhook-Timestamp"),
        let seconds = Int(time), seconds > now - Self.patience, seconds < now + Self.patience
      else { return false }
      let code = SHA256.code(of: Array("\(id).\(time).".utf8) + request.body, key: secret)
      return signature.split(separator: " ").contains { part in
        guard part.hasPrefix("v1,"), let given = Base64.bytes(of: String(part.dropFirst(3))) else { return false }
        return SHA256.isSame(given, code)
      }
    }
  }

  /// Checks the signature of a body: HMAC-SHA-256 in hexadecimal digits, with or without the prefix `sha256=`.
  func isSigned(_ body: [UInt8], by signature: String?) -> Bool {
    guard let signature else { return false }
    let digits = signature.hasPrefix("sha256=") ? signature.dropFirst(7) : signature[...]
    guard let code = Hexadecimal.bytes(of: digits) else { return false }
    return SHA256.isSame(code, SHA256.code(of: body, key: secret))
  }
}
