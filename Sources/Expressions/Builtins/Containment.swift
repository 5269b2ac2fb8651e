internal import JSON

/// Containment and positions of one value within another.
extension Builtin {
  static let containment: [Builtin] = [
    Builtin(
      "contains", ["b"], "True if all of b is within the input: parts of strings, elements, members.",
      Example("contains({a: [\"b\"]})", #"{"a":["xbx"],"c":1}"#, "true"),
      .value1 { input, part, environment throws(ExpressionError) in try check(input, part, environment) }),
    Builtin(
      "inside", ["b"], "True if all of the input is within b.", Example("inside(\"abc\")", "\"b\"", "true"),
      .value1 { input, whole, environment throws(ExpressionError) in try check(whole, input, environment) }),
    Builtin(
      "indices", ["$x"], "The positions at which a value, or a sequence of values, occurs.",
      Example("indices(\", \")", "\"a, b, c\"", "[1,4]"),
      .value1 { input, sought, environment throws(ExpressionError) in try indices(input, sought, environment) }),
    Builtin(
      "index", ["$x"], "The first of the indices.", Example("index(1)", "[0,1,1]", "1"),
      .value1 { input, sought, environment throws(ExpressionError) in
        try end(of: indices(input, sought, environment), 0)
      }),
    Builtin(
      "rindex", ["$x"], "The last of the indices.", Example("rindex(1)", "[0,1,1]", "2"),
      .value1 { input, sought, environment throws(ExpressionError) in
        try end(of: indices(input, sought, environment), -1)
      }),
  ]

  /// Throws for values of different kinds (true and false are two), which cannot be compared; elements of another kind
  /// are merely absent.
  private static func check(
    _ whole: JSONValue, _ part: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    let areDifferent = if case (.bool(let a), .bool(let b)) = (whole, part) { a != b } else { false }
    guard whole.typeName == part.typeName, !areDifferent else {
      throw .badValue("\(whole.described) and \(part.described) cannot have their containment checked")
    }
    return .bool(try contains(whole, part, environment))
  }

  private static func contains(
    _ whole: JSONValue, _ part: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> Bool {
    try environment.guardStack()
    try environment.step()
    switch (whole.plain, part.plain) {
    case (.object(let whole), .object(let part)):
      for member in part.members {
        guard let value = whole[member.key], try contains(value, member.value, environment) else { return false }
      }
      return true
    case (.array(let whole), .array(let part)):
      for item in part where !(try holds(whole, item, environment)) { return false }
      return true
    case (.string(let whole), .string(let part)):
      try environment.charge(characters: 4 * whole.utf8.count)
      return Search.occurs(Array(part.utf8), in: Array(whole.utf8))
    case (let whole, let part): return try Ordering.areEqual(whole, part, environment)
    }
  }

  private static func holds(
    _ items: [JSONValue], _ part: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> Bool {
    for item in items {
      if try contains(item, part, environment) { return true }
    }
    return false
  }

  private static func indices(
    _ input: JSONValue, _ sought: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    switch (input.plain, sought.plain) {
    case (.string(let text), .string(let part)): return .array(try positions(of: part, in: text, environment))
    case (.array, .array): return try Indexing.get(input, sought, environment)
    case (.array, _): return try Indexing.get(input, .array([sought]), environment)
    default: return try Indexing.get(input, sought, environment)
    }
  }

  /// The positions in characters, as slices count them.
  private static func positions(
    of part: String, in text: String, _ environment: Environment
  ) throws(ExpressionError) -> [JSONValue] {
    try environment.charge(characters: 4 * text.utf8.count)
    let bytes = Array(text.utf8)
    var (position, counted) = (0, 0)
    var positions: [JSONValue] = []
    for offset in Search.offsets(of: Array(part.utf8), in: bytes) {
      position += bytes[counted..<offset].reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
      counted = offset
      positions.append(.number(Double(position)))
    }
    return positions
  }

  private static func end(of indices: JSONValue, _ index: Double) throws(ExpressionError) -> JSONValue {
    switch indices {
    case .array(let items): return Indexing.element(items, index)
    case .null: return .null
    default: throw Indexing.cannotIndex(indices, .number(index))
    }
  }
}
