internal import JSON

/// A comparison, in jq's order of all values.
protocol Comparison: BinaryOperation {
  static func holds(_ left: Double, _ right: Double) -> Bool
  /// Evaluates the order of two values, as returned by `JSONValue.compare`.
  static func holds(_ order: Int) -> Bool
}

extension Comparison {
  static func numbers(_ left: Double, _ right: Double) -> JSONValue? {
    left.isNaN ? nil : .bool(holds(left, right))
  }

  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    return .bool(holds(try Ordering.compare(left, right, environment)))
  }
}

enum Less: Comparison {
  static func holds(_ left: Double, _ right: Double) -> Bool { left < right }
  static func holds(_ order: Int) -> Bool { order < 0 }
}

enum LessOrEqual: Comparison {
  static func holds(_ left: Double, _ right: Double) -> Bool { left <= right }
  static func holds(_ order: Int) -> Bool { order <= 0 }
}

enum Greater: Comparison {
  static func holds(_ left: Double, _ right: Double) -> Bool { !(left <= right) }
  static func holds(_ order: Int) -> Bool { order > 0 }
}

enum GreaterOrEqual: Comparison {
  static func holds(_ left: Double, _ right: Double) -> Bool { !(left < right) }
  static func holds(_ order: Int) -> Bool { order >= 0 }
}

/// Compares for `==`.
enum Equality: BinaryOperation {
  static func numbers(_ left: Double, _ right: Double) -> JSONValue? { .bool(left == right) }

  static func result(ofEquality areEqual: Bool) -> JSONValue? { .bool(areEqual) }

  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    return .bool(try Ordering.areEqual(left, right, environment))
  }
}

/// Compares for `!=`.
enum Inequality: BinaryOperation {
  static func numbers(_ left: Double, _ right: Double) -> JSONValue? { .bool(left != right) }

  static func result(ofEquality areEqual: Bool) -> JSONValue? { .bool(!areEqual) }

  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    return .bool(!(try Ordering.areEqual(left, right, environment)))
  }
}
