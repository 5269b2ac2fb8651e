/// Tests of any or all values.
extension Builtin {
  static let quantifiers: [Builtin] = [
    Builtin(
      "any", [], "True if an element is true.", Example("any", "[false,1]", "true"),
      .node { _ in QuantifierNode(elements, IdentityNode.shared, decisive: true) }),
    Builtin(
      "any", ["f"], "True if a condition holds for an element.", Example("any(. > 1)", "[1,2]", "true"),
      .node { QuantifierNode(elements, $0[0], decisive: true) }),
    Builtin(
      "any", ["generator", "f"], "True if a condition holds for an output of a generator.",
      Example("any(.a[]; . > 1)", #"{"a":[1,2]}"#, "true"), .node { QuantifierNode($0[0], $0[1], decisive: true) }),
    Builtin(
      "all", [], "True if all elements are true.", Example("all", "[false,1]", "false"),
      .node { _ in QuantifierNode(elements, IdentityNode.shared, decisive: false) }),
    Builtin(
      "all", ["f"], "True if a condition holds for all elements.", Example("all(. > 1)", "[1,2]", "false"),
      .node { QuantifierNode(elements, $0[0], decisive: false) }),
    Builtin(
      "all", ["generator", "f"], "True if a condition holds for all outputs of a generator.",
      Example("all(.a[]; . > 0)", #"{"a":[1,2]}"#, "true"), .node { QuantifierNode($0[0], $0[1], decisive: false) }),
    Builtin(
      "IN", ["source"], "True if the input is among the outputs of an expression.",
      Example("IN(1, 2)", "2", "true"), .definition("any(source == .; .)")),
    Builtin(
      "IN", ["source", "s"], "True if an output of one expression is among those of another.",
      Example("IN(1, 2; 2, 3)", "null", "true"), .definition("any(source == s; .)")),
  ]

  private static var elements: any Node { IterateNode(IdentityNode.shared, isOptional: false) }
}
