internal import JSON

/// `/`: numbers divide, strings are split.
enum Division: BinaryOperation {
  static func numbers(_ left: Double, _ right: Double) -> JSONValue? { right == 0 ? nil : .number(left / right) }

  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    switch (left.plain, right.plain) {
    case (.number(let a), .number(let b)):
      guard b != 0 else {
        throw .badValue("\(left.described) and \(right.described) cannot be divided because the divisor is zero")
      }
      return .number(a / b)
    case (.string(let text), .string(let separator)): return try Splitting.split(text, at: separator, environment)
    default: throw .badValue("\(left.described) and \(right.described) cannot be divided")
    }
  }
}
