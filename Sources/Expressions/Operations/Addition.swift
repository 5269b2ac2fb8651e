internal import JSON

/// `+`: numbers add, strings and arrays join, of objects the right one's members win; null adds nothing.
enum Addition: BinaryOperation {
  @inline(__always)
  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    if case .number(let a) = left, case .number(let b) = right { return .number(a + b) }
    return try join(left, right, environment)
  }

  private static func join(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    switch (left, right) {
    case (.null, _): return right
    case (_, .null): return left
    default: break
    }
    try environment.charge(bytes: copiedBytes(left))
    var result = left.plain
    try append(right, to: &result, environment)
    return result
  }

  private static func copiedBytes(_ value: JSONValue) -> Int {
    switch value {
    case .string(let text): text.utf8.count
    case .array(let items): items.count * MemoryLayout<JSONValue>.stride
    case .object(let object): object.count * MemoryLayout<JSONObject.Member>.stride
    default: 0
    }
  }

  /// Adds to a value in place, which costs nothing for what is there if nobody else holds it.
  static func append(
    _ right: JSONValue, to left: inout JSONValue, _ environment: Environment
  ) throws(ExpressionError) {
    switch (left.plain, right.plain) {
    case (.null, _): left = right
    case (_, .null): break
    case (.number(let a), .number(let b)): left = .number(a + b)
    case (.string(var a), .string(let b)):
      if a.utf8.count + b.utf8.count > environment.account.limits.bytes { throw Environment.tooLarge }
      try environment.charge(bytes: b.utf8.count)
      left = .null
      a += b
      left = .string(a)
    case (.array(var a), .array(let b)):
      try environment.charge(values: b.count)
      left = .null
      a += b
      left = .array(a)
    case (.object(var a), .object(let b)):
      try environment.charge(values: 2 * b.count)
      left = .null
      for member in b.members { a[member.key] = member.value }
      left = .object(a)
    default: throw .badValue("\(left.described) and \(right.described) cannot be added")
    }
  }
}
