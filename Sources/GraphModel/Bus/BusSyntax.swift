/// The rules for names on a bus: "Valid Names" and "Valid Object Paths" in the D-Bus Specification.
package enum BusSyntax {
  /// The name of a peer on a bus: `org.freedesktop.UPower`, or `:1.42`.
  case busName
  case objectPath
  case interface
  /// The name of a property, a signal or a method.
  case member

  /// The longest name in bytes; a path may have any length.
  private static let longest = 255

  func accepts(_ text: String) -> Bool {
    let bytes = text.utf8
    switch self {
    case .busName:
      guard bytes.count <= Self.longest else { return false }
      // Only the bus itself assigns names that begin with a colon, and only their elements may begin with a digit.
      if bytes.first == UInt8(ascii: ":") {
        return Self.areElements(bytes.dropFirst()) { Self.isWord($0, or: "-", mayBeginWithDigit: true) }
      }
      return Self.areElements(bytes[...]) { Self.isWord($0, or: "-") }
    case .interface: return bytes.count <= Self.longest && Self.areElements(bytes[...]) { Self.isWord($0) }
    case .member: return bytes.count <= Self.longest && Self.isWord(bytes[...])
    case .objectPath:
      guard bytes.first == UInt8(ascii: "/") else { return false }
      if bytes.count == 1 { return true }
      return bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .allSatisfy { Self.isWord($0, mayBeginWithDigit: true) }
    }
  }

  /// Returns true for two or more elements with dots between them.
  private static func areElements(
    _ bytes: Substring.UTF8View, _ isElement: (Substring.UTF8View) -> Bool
  ) -> Bool {
    let elements = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return elements.count >= 2 && elements.allSatisfy(isElement)
  }

  private static func isWord(
    _ bytes: Substring.UTF8View, or further: Unicode.Scalar? = nil, mayBeginWithDigit: Bool = false
  ) -> Bool {
    guard let first = bytes.first, mayBeginWithDigit || !first.isDigit else { return false }
    return bytes.allSatisfy { byte in
      byte.isDigit || byte.isLetter || byte == UInt8(ascii: "_") || further.map { UInt32(byte) == $0.value } ?? false
    }
  }
}

extension BusSyntax {
  /// The term with its article, for messages.
  var name: String {
    switch self {
    case .busName: "a bus name"
    case .objectPath: "an object path"
    case .interface: "the name of an interface"
    case .member: "the name of a member"
    }
  }

  /// The rule in brief, with an example.
  var rule: String {
    switch self {
    case .busName:
      "two or more words of letters, digits, \"_\" and \"-\" that do not begin with a digit, separated by dots: "
        + "org.freedesktop.UPower"
    case .objectPath:
      "\"/\", or words of letters, digits and \"_\", each after a \"/\": /org/freedesktop/UPower"
    case .interface:
      "two or more words of letters, digits and \"_\" that do not begin with a digit, separated by dots: "
        + "org.freedesktop.UPower.Device"
    case .member: "one word of letters, digits and \"_\" that does not begin with a digit: OnBattery"
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  fileprivate var isLetter: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
  }
}
