internal import JSON

/// jq's order of all values, with the charge for comparing.
enum Ordering {
  static func areEqual(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> Bool {
    try chargeComparison(left, right, environment)
    return left == right
  }

  /// Returns a negative number if the left one comes first, 0 if they are equal.
  static func compare(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> Int {
    try chargeComparison(left, right, environment)
    if case .object = left, case .object = right { try Measure.allow(right, environment) }
    return JSONValue.compare(left, right)
  }

  /// Charges a comparison, which is bounded by the left value.
  private static func chargeComparison(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) {
    switch (left, right) {
    case (.string(let one), .string(let other)): try environment.charge(bytes: min(one.utf8.count, other.utf8.count))
    case (.array, .array), (.object, .object): try Measure.allow(left, environment)
    default: break
    }
  }

  /// Sorts stably by keys.
  static func sorted<Element>(
    _ elements: [Element], by key: (Element) -> JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> [Element] {
    // Charged in advance, since the standard library's sort cannot be stopped half way.
    try environment.chargeSorting(elements.count)
    let levels = Environment.levels(of: elements.count)
    for element in elements { try Measure.allow(key(element), times: levels, environment) }
    return elements.sorted { JSONValue.compare(key($0), key($1)) < 0 }
  }
}
