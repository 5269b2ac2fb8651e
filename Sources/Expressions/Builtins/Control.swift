internal import JSON

/// Termination, errors, alternatives.
extension Builtin {
  static let control: [Builtin] = [
    Builtin("empty", [], "No output.", Example("[1, empty]", "null", "[1]"), .node { _ in EmptyNode() }),
    Builtin(
      "error", [], "Raises the input as an error.", Example("try error catch .", "\"x\"", "\"x\""),
      .node { _ in ErrorNode(IdentityNode.shared) }),
    Builtin(
      "error", ["message"], "Raises an error.", Example("try error(\"x\") catch .", "null", "\"x\""),
      .node { ErrorNode($0[0]) }),
    Builtin("first", ["f"], "The first output.", Example("first(range(5))", "null", "0"), .node { FirstNode($0[0]) }),
    Builtin(
      "last", ["f"], "The last output.", Example("last(range(5))", "null", "4"),
      .node { LastNode($0[0]) }),
    Builtin(
      "nth", ["$n", "f"], "The output number n, counted from 0.", Example("nth(2; range(5))", "null", "2"),
      .definition(
        #"if $n < 0 then error("nth doesn't support negative indices") else first(skip($n; f)) end"#)),
    Builtin(
      "limit", ["$n", "f"], "The first n outputs.", Example("[limit(2; range(5))]", "null", "[0,1]"),
      .node { LimitNode($0[0], $0[1]) }),
    Builtin(
      "skip", ["$n", "f"], "All outputs but the first n.", Example("[skip(3; range(5))]", "null", "[3,4]"),
      .node { SkipNode($0[0], $0[1]) }),
    Builtin(
      "isempty", ["f"], "True if there is no output.", Example("isempty(empty)", "null", "true"),
      .definition("first((f | false), true)")),
  ]
}
