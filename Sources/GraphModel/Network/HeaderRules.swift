import Base

/// The rules for the names and values of headers.
package enum HeaderRules {
  /// The headers that belong to the connection itself, and are the adapter's.
  private static let ofConnection: Set = [
    "connection", "content-length", "expect", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Returns the problem in a header's name.
  ///
  /// - Parameter isComputed: True if its value may come from a signal's value, which never says whom to talk to.
  static func problem(inName name: String, isComputed: Bool) -> String? {
    guard !name.isEmpty, name.utf8.allSatisfy(isToken) else {
      return "\"\(name)\" cannot be the name of a header"
    }
    let lower = name.lowercased()
    if ofConnection.contains(lower) || lower.hasPrefix("proxy-") {
      return "the header \"\(name)\" belongs to the connection itself"
    }
    if isComputed, lower == "host" {
      return "the header \"\(name)\" says who is asked, which only the connection does: give it in server.connections"
    }
    return nil
  }

  /// Returns the problem in a header's value.
  package static func problem(inValue value: String) -> String? {
    if value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) { return "a header has no line break" }
    if value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
      return "a header has no control characters"
    }
    return nil
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
