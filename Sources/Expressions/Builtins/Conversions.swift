internal import JSON

/// From one kind to another.
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
      "tonumber", [], "The number in a string; a number as it is.", Example("tonumber", "\"1.5\"", "1.5"),
      .value { input, environment throws(ExpressionError) in
        try environment.charge(characters: input.asString?.utf8.count ?? 0)
        return try number(input)
      }),
    Builtin(
      "toarray", [], "An array as it is, anything else in an array.", Example("toarray", "1", "[1]"),
      .definition(#"if type == "array" then . else [.] end"#)),
  ]

  private static func parse(
    _ input: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    guard let text = input.asString else { throw .badValue("\(input.described) cannot be parsed as JSON") }
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

  /// A decimal number, with blanks around it; not what else Swift reads as a number, such as `0x10`.
  private static func parseNumber(_ text: String) -> Double? {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let trimmed = text.utf8.drop(while: isBlank)
    let end = trimmed.lastIndex { !isBlank($0) }.map(trimmed.index(after:)) ?? trimmed.startIndex
    let number = String(Substring(trimmed[..<end]))
    if number == "nan" { return .nan }
    guard number.utf8.allSatisfy({ $0.isDigit || ".eE+-".utf8.contains($0) }) else { return nil }
    if let value = Double(number) { return value }
    return number.hasSuffix(".") ? Double(number.dropLast()) : nil
  }
}
