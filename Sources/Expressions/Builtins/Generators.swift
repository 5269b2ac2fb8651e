import JSON

/// Generators of many outputs.
extension Builtin {
  static let generators: [Builtin] = [
    Builtin(
      "range", ["$upto"], "The numbers from 0 to below another.", Example("[range(3)]", "null", "[0,1,2]"),
      .node { RangeNode(ConstantNode(0), $0[0], ConstantNode(1)) }),
    Builtin(
      "range", ["$from", "$upto"], "The numbers from one to below another.",
      Example("[range(1; 3)]", "null", "[1,2]"), .node { RangeNode($0[0], $0[1], ConstantNode(1)) }),
    Builtin(
      "range", ["$from", "$upto", "$by"], "The numbers from one to before another, in steps.",
      Example("[range(0; 10; 4)]", "null", "[0,4,8]"), .node { RangeNode($0[0], $0[1], $0[2]) }),
    Builtin(
      "recurse", [], "The input and all parts of it; the same as `..`.", Example("[recurse]", "[1]", "[[1],1]"),
      .node { _ in RecurseNode(IterateNode(IdentityNode.shared, isOptional: true)) }),
    Builtin(
      "recurse", ["f"], "The input, and the same for each output of f for it.",
      Example("[recurse(if . < 2 then . + 1 else empty end)]", "0", "[0,1,2]"), .node { RecurseNode($0[0]) }),
    Builtin(
      "recurse", ["f", "condition"], "Like recurse, while a condition holds.",
      Example("[recurse(. * 2; . < 5)]", "1", "[1,2,4]"),
      .node {
        RecurseNode(PipeNode($0[0], ConditionalNode($0[1], then: IdentityNode.shared, otherwise: EmptyNode())))
      }),
    Builtin(
      "recurse_down", [], "An alias of `recurse`.", Example("[recurse_down]", "[1]", "[[1],1]"),
      .definition("recurse")),
    Builtin(
      "while", ["condition", "update"], "The input and its updates, as long as a condition holds.",
      Example("[while(. < 5; . * 2)]", "1", "[1,2,4]"), .node { WhileNode($0[0], $0[1]) }),
    Builtin(
      "until", ["condition", "update"], "The first of the input and its updates for which a condition holds.",
      Example("until(. > 5; . * 2)", "1", "8"), .node { UntilNode($0[0], $0[1]) }),
    Builtin(
      "repeat", ["f"], "The outputs of f, again and again.", Example("[limit(3; repeat(. + 1))]", "1", "[2,2,2]"),
      .node { RepeatNode($0[0]) }),
  ]
}
