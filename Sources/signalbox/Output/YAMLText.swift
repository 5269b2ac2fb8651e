internal import JSON
internal import WireProtocol

/// A value in the form of a configuration, to be copied there: its members and the items of its pipe on separate lines,
/// the rest in flow style.
struct YAMLText {
  let lines: [String]

  init(_ value: JSONValue) {
    guard case .object(let object) = value.plain else {
      lines = [Self.inline(value)]
      return
    }
    lines = object.members.flatMap(Self.lines)
  }

  private static func lines(_ member: JSONObject.Member) -> [String] {
    let key = inline(.string(member.key))
    guard case .array(let items) = member.value.plain, member.key == "pipe" else {
      return ["\(key): \(inline(member.value))"]
    }
    return ["\(key):"] + items.map { "  - \(item($0))" }
  }

  /// Formats an operator with its argument.
  private static func item(_ value: JSONValue) -> String {
    guard case .object(let object) = value.plain, object.count == 1, let member = object.members.first else {
      return inline(value)
    }
    return "\(inline(.string(member.key))): \(inline(member.value))"
  }

  /// Formats a value on one line, with quotes around strings that would be read as something else.
  ///
  /// - Parameter isInside: True within brackets or braces.
  private static func inline(_ value: JSONValue, isInside: Bool = false) -> String {
    switch value.plain {
    case .string(let text):
      let isBare = isPlain(text) && !(isInside && text.contains { ",[]{}".contains($0) })
      return isBare ? text : value.description
    case .array(let elements): return "[\(elements.map { inline($0, isInside: true) }.joined(separator: ", "))]"
    case .object(let object):
      let members = object.members.map { member in
        "\(inline(.string(member.key), isInside: true)): \(inline(member.value, isInside: true))"
      }
      return "{\(members.joined(separator: ", "))}"
    default: return value.description
    }
  }

  /// Indicates that a string needs no quotes as the value of a key; the check is conservative.
  private static func isPlain(_ text: String) -> Bool {
    if Interval(text) != nil { return true }
    guard let first = text.utf8.first, let last = text.utf8.last, last != UInt8(ascii: ":"), last > 0x20,
      isLetter(first) || first == UInt8(ascii: "/")
        || first == UInt8(ascii: ".") && text.utf8.dropFirst().first.map(isLetter) ?? true
    else { return false }
    return text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && !text.contains(": ") && !text.contains(" #")
      && !words.contains(text.lowercased())
  }

  private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte & 0xDF }

  /// Strings that some version of YAML reads as another type.
  private static let words: Set = [
    "true", "false", "null", "yes", "no", "on", "off", "y", "n", ".inf", ".nan",
  ]
}
