internal import JSON

/// `-`: numbers subtract; an array loses the elements of the right one.
enum Subtraction: BinaryOperation {
  static func numbers(_ left: Double, _ right: Double) -> JSONValue? { .number(left - right) }

  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    switch (left.plain, right.plain) {
    case (.number(let a), .number(let b)): return .number(a - b)
    case (.array(let items), .array(let unwanted)):
      return .array(try remove(unwanted, from: items, environment))
    default: throw .badValue("\(left.described) and \(right.described) cannot be subtracted")
    }
  }

  private static func remove(
    _ unwanted: [JSONValue], from items: [JSONValue], _ environment: Environment
  ) throws(ExpressionError) -> [JSONValue] {
    var kept: [JSONValue] = []
    for item in items {
      var isUnwanted = false
      for other in unwanted where !isUnwanted {
        try environment.step()
        isUnwanted = try Ordering.areEqual(item, other, environment)
      }
      if !isUnwanted { kept.append(item) }
    }
    return kept
  }
}
