internal import JSON

/// Conversions between kinds.
extension Builtin {
  static let conversions: [Builtin] = [
    Builtin(
      "tostring", [], "A string as it is, anything else as JSON.", Example("tostring", "[1]", "\"[1]\""),
      .value { input, environment throws(ExpressionError) in .string(try JSONText.string(of: input, environment)) }),
    Builtin(
      "tojson", [], "The input as JSON text.", Example("tojson", "\"a\"", #""\"a\"""#),
      .value { input, environment throws(ExpressionError) in .string(try JSONText.make(of: input, environment)) }),
    Builtin(
      "fromjson", [], "The value of JSON text.", Example("fromjson", "\"[1]\"", "[1]"),
      .value { input, environment throws(ExpressionError) in try parse(input, environment) }),
    Builtin(
      "tonumber", [], "The number that a string is; a number as it is.", Example("tonumber", "\"1.5\"", "1.5"),
      .value { input, environment throws(ExpressionError) in
        try environment.charge(characters: input.asString?.utf8.count ?? 0)
        return try number(input)
      }),
    Builtin(
      "toboolean", [], "The boolean in a string; a boolean as it is.", Example("toboolean", "\"true\"", "true"),
      .value { input, _ throws(ExpressionError) in
        switch input.plain {
        case .bool: return input
        case .string("true"): return true
        case .string("false"): return false
        default: throw .badValue("\(input.described) cannot be parsed as a boolean")
        }
      }),
    Builtin(
      "format", ["$name"], "The text of the input in a format, as `@name` makes it.",
      Example("format(\"csv\")", "[1,\"a\"]", #""1,\"a\"""#),
      .value1 { input, name, environment throws(ExpressionError) in
        guard let name = name.asString else { throw .badValue("\(name.described) is not a valid format") }
        guard let format = TextFormat(rawValue: name) else { throw .badValue("\(name) is not a valid format") }
        return .string(try format.apply(to: input, environment))
      }),
    Builtin(
      "toarray", [], "An array as it is, anything else in an array.", Example("toarray", "1", "[1]"),
      .definition(#"if type == "array" then . else [.] end"#)),
  ]

  private static func parse(
    _ input: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    guard let text = input.asString else { throw .badValue("\(input.described) only strings can be parsed") }
    try environment.charge(characters: 2 * text.utf8.count)
    environment.account.constructions += 1
    if text == "nan" || text == "NaN" { return .number(.nan) }
    do {
      return try JSONParser.value(onThisThread: Array(text.utf8).span)
    } catch {
      throw .badValue("\(error.message) (while parsing '\(text.prefix(100))')")
    }
  }

  private static func number(_ input: JSONValue) throws(ExpressionError) -> JSONValue {
    if input.asNumber != nil { return input }
    if let text = input.asString, let number = parseNumber(text) { return .number(number) }
    throw .badValue("\(input.described) cannot be parsed as a number")
  }

  /// Parses a decimal number or a word for a non-finite one.
  ///
  /// Excludes Swift's other forms, such as `0x10`. A trailing newline is accepted, since files end with one.
  private static func parseNumber(_ input: String) -> Double? {
    let text = input.hasSuffix("\n") ? input.dropLast() : input[...]
    if text.utf8.allSatisfy({ $0.isDigit || ".eE+-".utf8.contains($0) }) {
      return Double(text) ?? (text.hasSuffix(".") ? Double(text.dropLast()) : nil)
    }
    let isNegative = text.hasPrefix("-")
    switch text.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0).lowercased() {
    case "nan": return .nan
    case "inf", "infinity": return isNegative ? -.infinity : .infinity
    default: return nil
    }
  }
}
