internal import JSON

/// Lengths, non-finite numbers, and the time.
extension Builtin {
  static let numbers: [Builtin] = [
    Builtin(
      "length", [], "The number of characters, elements or members; the magnitude of a number; 0 for null.",
      Example("length", "\"añ\"", "2"),
      .value { input, environment throws(ExpressionError) in .number(try length(input, environment)) }),
    Builtin(
      "utf8bytelength", [], "The number of bytes of a string in UTF-8.", Example("utf8bytelength", "\"ñ\"", "2"),
      .value { input, _ throws(ExpressionError) in
        guard let text = input.asString else {
          throw .badValue("\(input.described) only strings have UTF-8 byte length")
        }
        return .number(Double(text.utf8.count))
      }),
    Builtin(
      "abs", [], "The magnitude of a number.", Example("abs", "-3", "3"), .definition("if . < 0 then -. else . end")),
    Builtin(
      "infinite", [], "Infinity.", Example("infinite > 1e300", "null", "true"),
      .node { _ in ConstantNode(.number(.infinity)) }),
    Builtin(
      "nan", [], "Not a number.", Example("nan | isnan", "null", "true"), .node { _ in ConstantNode(.number(.nan)) }),
    asking("isinfinite", "True if a number is infinite.") { $0.isInfinite },
    asking("isnan", "True if a number is not a number.") { $0.isNaN },
    asking("isnormal", "True if a number is neither zero, subnormal, infinite nor not a number.") { $0.isNormal },
    Builtin(
      "isfinite", [], "True if the input is a number and not infinite.", Example("isfinite", "1", "true"),
      .value { input, _ throws(ExpressionError) in .bool(input.asNumber.map { !$0.isInfinite } ?? false) }),
    Builtin(
      "have_literal_numbers", [], "True if a number that is only moved keeps its text: true.",
      Example("have_literal_numbers", "null", "true"), .node { _ in ConstantNode(true) }),
    Builtin(
      "have_decnum", [], "True if numbers are computed with all of their digits, not as doubles: false.",
      Example("have_decnum", "null", "false"), .node { _ in ConstantNode(false) }),
    Builtin(
      "now", [], "The time of the graph's clock, in seconds since 1970.", Example("now | type", "null", "\"number\""),
      .node { _ in NowNode() }),
  ]

  private static func asking(
    _ name: String, _ summary: String, _ answer: @escaping @Sendable (Double) -> Bool
  ) -> Builtin {
    Builtin(
      name, [], summary, Example(name, "1", answer(1) ? "true" : "false"),
      .value { input, _ throws(ExpressionError) in
        .bool(input.asNumber.map(answer) ?? false)
      })
  }

  static func length(_ input: JSONValue, _ environment: Environment) throws(ExpressionError) -> Double {
    switch input.plain {
    case .null: return 0
    case .number(let number): return number.magnitude
    case .string(let text):
      try environment.charge(characters: text.utf8.count)
      return Double(text.unicodeScalars.count)
    case .array(let items): return Double(items.count)
    case .object(let object): return Double(object.count)
    default: throw .badValue("\(input.described) has no length")
    }
  }
}
