internal import JSON

/// Tests of any or all values.
extension Builtin {
  static let quantifiers: [Builtin] = [
    Builtin(
      "any", [], "Whether an element is true.", Example("any", "[false,1]", "true"),
      .node { _ in QuantifierNode(elements, IdentityNode.shared, decisive: true) }),
    Builtin(
      "any", ["f"], "Whether a condition holds for an element.", Example("any(. > 1)", "[1,2]", "true"),
      .node { QuantifierNode(elements, $0[0], decisive: true) }),
    Builtin(
      "any", ["generator", "f"], "Whether a condition holds for an output of a generator.",
      Example("any(.a[]; . > 1)", #"{"a":[1,2]}"#, "true"), .node { QuantifierNode($0[0], $0[1], decisive: true) }),
    Builtin(
      "all", [], "Whether all elements are true.", Example("all", "[false,1]", "false"),
      .node { _ in QuantifierNode(elements, IdentityNode.shared, decisive: false) }),
    Builtin(
      "all", ["f"], "Whether a condition holds for all elements.", Example("all(. > 1)", "[1,2]", "false"),
      .node { QuantifierNode(elements, $0[0], decisive: false) }),
    Builtin(
      "all", ["generator", "f"], "Whether a condition holds for all outputs of a generator.",
      Example("all(.a[]; . > 0)", #"{"a":[1,2]}"#, "true"), .node { QuantifierNode($0[0], $0[1], decisive: false) }),
    Builtin(
      "IN", ["source"], "Whether the input is among the outputs of an expression.",
      Example("IN(1, 2)", "2", "true"), .definition("any(source == .; .)")),
    Builtin(
      "IN", ["source", "s"], "Whether an output of one expression is among those of another.",
      Example("IN(1, 2; 2, 3)", "null", "true"), .definition("any(source == s; .)")),
  ]

  private static var elements: any Node { IterateNode(IdentityNode.shared, isOptional: false) }
}
