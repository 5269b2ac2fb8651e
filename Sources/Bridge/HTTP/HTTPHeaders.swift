internal import Linux

/// The headers of a request: those of the connection, those of the request in their place, and the bridge's own.
struct HTTPHeaders {
  private(set) var fields: [TransferRequest.Header]

  /// - Parameter fields: Headers that are known to be valid.
  init(_ fields: [TransferRequest.Header] = []) { self.fields = fields }

  /// The headers that delimit or route a request; libcurl sets them.
  private static let reserved: Set = [
    "connection", "content-length", "expect", "host", "http2-settings", "keep-alive", "proxy-authorization",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]
  private static let letters = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  private static let tokens = ByteSet(ByteSet.lettersAndDigits + "!#$%&'*+-.^_`|~")

  /// Sets a header, in place of one with an equal name.
  mutating func set(_ name: String, _ value: String) throws(TaskFailure) {
    guard !name.isEmpty, name.utf8.allSatisfy(Self.tokens.contains), !Self.reserved.contains(name.lowercased()) else {
      throw TaskFailure("bad_request", "the header \(name.visible) cannot be set")
    }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw TaskFailure("bad_request", "the value of the header \(name) has a character that no header may have")
    }
    fields.removeAll { Self.areEqual($0.name, name) }
    fields.append((name, value))
  }

  mutating func set(_ fields: [TransferRequest.Header]) throws(TaskFailure) {
    for (name, value) in fields { try set(name, value) }
  }

  /// Sets a header unless there is one with its name.
  mutating func add(_ name: String, _ value: String) throws(TaskFailure) {
    if !fields.contains(where: { Self.areEqual($0.name, name) }) { try set(name, value) }
  }

  /// Indicates names that differ in case at most.
  private static func areEqual(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count
      && zip(one.utf8, other.utf8).allSatisfy { $0 == $1 || $0 ^ $1 == 0x20 && letters.contains($0) }
  }

  /// Indicates a token, as a method has to be.
  static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(tokens.contains) }
}
