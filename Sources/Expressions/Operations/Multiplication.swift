internal import JSON

/// `*`: numbers multiply, strings repeat, objects merge deeply.
enum Multiplication: BinaryOperation {
  static func numbers(_ left: Double, _ right: Double) -> JSONValue? { .number(left * right) }

  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    switch (left.plain, right.plain) {
    case (.number(let a), .number(let b)): return .number(a * b)
    case (.string(let text), .number(let count)), (.number(let count), .string(let text)):
      return try repeated(text, count, environment)
    case (.object(let a), .object(let b)): return .object(try merge(b, into: a, environment))
    default: throw .badValue("\(left.described) and \(right.described) cannot be multiplied")
    }
  }

  /// Repeats a text; a negative count yields null, a fraction is ignored.
  private static func repeated(
    _ text: String, _ count: Double, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    guard count >= 0 else { return .null }
    let times = count.rounded(.down)
    if text.isEmpty || times == 0 { return "" }
    try environment.allow(bytes: Int(min(times * Double(text.utf8.count), Double(Int32.max))))
    return .string(repeated(text, Int(times)))
  }

  /// Repeats by doubling: the standard library appends one by one.
  private static func repeated(_ text: String, _ count: Int) -> String {
    var result = ""
    result.reserveCapacity(count * text.utf8.count)
    var (part, left) = (text, count)
    while left > 0 {
      if left & 1 == 1 { result += part }
      left >>= 1
      if left > 0 { part += part }
    }
    return result
  }

  private static func merge(
    _ source: JSONObject, into target: JSONObject, _ environment: Environment
  ) throws(ExpressionError) -> JSONObject {
    try environment.guardStack()
    try environment.charge(values: target.count)
    var result = target
    for member in source.members {
      try environment.step()
      try environment.charge(key: member.key)
      if case .object(let inner)? = result[member.key], case .object(let outer) = member.value {
        result[member.key] = .object(try merge(outer, into: inner, environment))
      } else {
        result[member.key] = member.value
      }
    }
    return result
  }
}
