internal import JSON

/// Quoting for a POSIX shell, for `@sh`.
enum ShellQuoting {
  /// Returns the words of an array, separated by spaces.
  static func line(of value: JSONValue, _ environment: Environment) throws(ExpressionError) -> String {
    var words = FieldList(separator: " ", environment)
    guard case .array(let items) = value else {
      try words.append(value, as: word)
      return words.text
    }
    for item in items { try words.append(item, as: word) }
    return words.text
  }

  private static func word(_ value: JSONValue) throws(ExpressionError) -> String {
    switch value.plain {
    case .string(let text):
      return "'" + Escaping.replace(text) { $0 == UInt8(ascii: "'") ? "'\\''" : nil } + "'"
    case .array, .object: throw .badValue("\(value.described) can not be escaped for shell")
    default: return JSONText.make(of: value, limit: .max) ?? ""
    }
  }
}
