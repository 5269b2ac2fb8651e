internal import JSON

/// The operation of an operator on two values.
protocol BinaryOperation {
  /// Returns the result for two numbers if a few instructions suffice; `nil` to request `apply`.
  static func numbers(_ left: Double, _ right: Double) -> JSONValue?

  /// Returns the result for two values by their equality alone; `nil` for an operation that needs more.
  static func result(ofEquality areEqual: Bool) -> JSONValue?

  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue

  /// Replaces the left value by the result.
  static func apply(
    _ right: JSONValue, to left: inout JSONValue, _ environment: Environment
  ) throws(ExpressionError)
}

extension BinaryOperation {
  static func numbers(_ left: Double, _ right: Double) -> JSONValue? { nil }

  static func result(ofEquality areEqual: Bool) -> JSONValue? { nil }

  static func apply(
    _ right: JSONValue, to left: inout JSONValue, _ environment: Environment
  ) throws(ExpressionError) {
    left = try apply(left, right, environment)
  }
}
