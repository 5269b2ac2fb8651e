internal import JSON

/// jq's order of all values, with the account of what comparing costs.
enum Ordering {
  static func areEqual(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> Bool {
    if left.isContainer, right.isContainer { try Measure.allow(left, environment) }
    return left == right
  }

  /// Negative when the left one comes first, 0 when they are equal.
  static func compare(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> Int {
    if left.isContainer, right.isContainer { try Measure.allow(left, environment) }
    return JSONValue.compare(left, right)
  }

  /// Sorts by keys, keeping the order of equal ones.
  static func sorted<Element>(
    _ elements: [Element], by key: (Element) -> JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> [Element] {
    for element in elements { try Measure.allow(key(element), environment) }
    // Counted before, since the standard library's sort cannot be left half way.
    var levels = 1
    while 1 << levels < elements.count { levels += 1 }
    try environment.charge(values: elements.count * levels)
    return elements.sorted { JSONValue.compare(key($0), key($1)) < 0 }
  }
}
