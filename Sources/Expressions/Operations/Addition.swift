internal import JSON

/// `+`: numbers add, strings and arrays join, the right object's members take precedence; null adds nothing.
enum Addition: BinaryOperation {
  static func numbers(_ left: Double, _ right: Double) -> JSONValue? { .number(left + right) }

  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    switch (left, right) {
    case (.null, _): return right
    case (_, .null): return left
    default: break
    }
    try environment.charge(bytes: left.ownBytes)
    var result = left
    try append(right, to: &result, environment)
    return result
  }

  static func apply(
    _ right: JSONValue, to left: inout JSONValue, _ environment: Environment
  ) throws(ExpressionError) {
    try append(right, to: &left, environment)
  }

  /// Adds to a value in place, without a copy if it is uniquely referenced.
  static func append(
    _ right: JSONValue, to left: inout JSONValue, _ environment: Environment
  ) throws(ExpressionError) {
    switch right.plain {
    case .null: break
    case .array(let items) where left.isArray:
      var joined = left.takeArray() ?? []
      try environment.allow(elements: joined.count + items.count, copied: items.count)
      joined += items
      left = .array(joined)
    case .string(let text) where left.asString != nil:
      try environment.allow(bytes: (left.asString?.utf8.count ?? 0) + text.utf8.count, copied: text.utf8.count)
      var joined = left.takeString() ?? ""
      joined += text
      left = .string(joined)
    case .object(let object) where left.isObject:
      try environment.charge(values: 2 * object.count)
      var joined = left.takeObject() ?? JSONObject()
      for member in object.members {
        try environment.charge(key: member.key)
        joined[member.key] = member.value
      }
      left = .object(joined)
    default: left = try scalarSum(left, right)
    }
  }

  private static func scalarSum(_ left: JSONValue, _ right: JSONValue) throws(ExpressionError) -> JSONValue {
    if case .null = left { return right }
    if let a = left.asNumber, let b = right.asNumber { return .number(a + b) }
    throw .badValue("\(left.described) and \(right.described) cannot be added")
  }
}
