internal import JSON

/// The kind of a value, and filters by kind.
extension Builtin {
  static let kinds: [Builtin] = [
    Builtin(
      "type", [], "The kind of the input, as a string.", Example("type", "[]", "\"array\""),
      .value { input, _ throws(ExpressionError) in .string(input.typeName) }),
    Builtin(
      "not", [], "True for false and null, else false.", Example("not", "null", "true"),
      .value { input, _ throws(ExpressionError) in .bool(!input.isTrue) }),
    Builtin(
      "select", ["f"], "The input, where the condition holds.", Example("map(select(. > 1))", "[1,2]", "[2]"),
      .node { ConditionalNode($0[0], then: IdentityNode.shared, otherwise: EmptyNode()) }),
    Builtin(
      "builtins", [], "The names of all builtins with the numbers of their arguments.",
      Example("builtins | contains([\"map/1\"])", "null", "true"),
      .value { _, _ throws(ExpressionError) in .array(all.map { .string($0.signature) }) }),
    passing("arrays", "[]") { if case .array = $0 { true } else { false } },
    passing("objects", "{}") { if case .object = $0 { true } else { false } },
    passing("iterables", "[]") { $0.isContainer },
    passing("booleans", "true") { if case .bool = $0 { true } else { false } },
    passing("numbers", "1") { $0.asNumber != nil },
    passing("strings", "\"a\"") { $0.asString != nil },
    passing("nulls", "null") { if case .null = $0 { true } else { false } },
    passing("values", "1") { if case .null = $0 { false } else { true } },
    passing("scalars", "1") { !$0.isContainer },
    passing("normals", "1") { $0.asNumber?.isNormal == true },
    passing("finites", "1") { $0.asNumber.map { !$0.isInfinite } ?? false },
  ]

  private static func passing(
    _ name: String, _ example: String, _ isOfKind: @escaping @Sendable (JSONValue) -> Bool
  ) -> Builtin {
    let condition = ValueNode { input, _ throws(ExpressionError) in .bool(isOfKind(input)) }
    return Builtin(
      name, [], "The input, if it is one of the \(name).", Example(name, example, example),
      .node { _ in ConditionalNode(condition, then: IdentityNode.shared, otherwise: EmptyNode()) })
  }
}
