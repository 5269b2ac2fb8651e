import JSON

/// Values in configuration syntax on one line; strings are quoted only if necessary.
enum FlowText {
  /// Returns a value that parses to itself where `${…}` is replaced.
  static func text(of value: JSONValue) -> String {
    switch value.plain {
    case .string(let text): isPlain(text) ? text : quoted(text.replacing("${", with: "$${"))
    case .array(let elements): "[\(elements.map(text).joined(separator: ", "))]"
    case .object(let object):
      "{\(object.members.map { "\(key($0.key)): \(text(of: $0.value))" }.joined(separator: ", "))}"
    default: value.description
    }
  }

  /// Returns the key of a mapping, where nothing is replaced.
  static func key(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  /// Checks, conservatively, that every YAML version parses the text as this string.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, isLetter(first), last != UInt8(ascii: " ") else {
      return false
    }
    return !words.contains(text.lowercased())
      && text.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || "_-. ".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte & 0xDF }

  /// Strings with another meaning in some version of YAML.
  private static let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default: quoted += isPrintable(scalar) ? "\(scalar)" : escaped(scalar)
      }
    }
    return quoted + "\""
  }

  /// Selects scalars that a file may contain verbatim and no reader treats as a line break.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
    default: true
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    let isShort = digits.count <= 4
    return (isShort ? "\\u" : "\\U") + String(repeating: "0", count: (isShort ? 4 : 8) - digits.count) + digits
  }
}
