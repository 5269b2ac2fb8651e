internal import JSON

extension Builtin {
  static let arrays: [Builtin] = [
    Builtin(
      "map", ["f"], "An array of the outputs for each element.", Example("map(. + 1)", "[1,2]", "[2,3]"),
      .node { ArrayNode(PipeNode(IterateNode(IdentityNode.shared, isOptional: false), $0[0])) }),
    Builtin(
      "add", [], "The sum of the elements.", Example("add", "[1,2]", "3"),
      .value { input, environment throws(ExpressionError) in
        var sum = JSONValue.null
        _ = try Iteration.each(of: input, environment) { item throws(ExpressionError) in
          try Addition.append(item, to: &sum, environment)
          return .next
        }
        return sum
      }),
    Builtin(
      "add", ["f"], "The sum of the outputs.", Example("add(.[].a)", #"[{"a":1},{"a":2}]"#, "3"),
      .definition("reduce f as $x (null; . + $x)")),
    Builtin(
      "first", [], "The first element.", Example("first", "[1,2]", "1"),
      .node { _ in IndexNode(IdentityNode.shared, ConstantNode(0), isOptional: false) }),
    Builtin(
      "last", [], "The last element.", Example("last", "[1,2]", "2"),
      .node { _ in IndexNode(IdentityNode.shared, ConstantNode(-1), isOptional: false) }),
    Builtin(
      "nth", ["n"], "The element at a position.", Example("nth(1)", "[1,2]", "2"),
      .node { IndexNode(IdentityNode.shared, $0[0], isOptional: false) }),
    Builtin(
      "reverse", [], "The elements in reverse order.", Example("reverse", "[1,2]", "[2,1]"),
      .value { input, environment throws(ExpressionError) in try reverse(input, environment) }),
    Builtin(
      "flatten", [], "The elements of all arrays within.", Example("flatten", "[1,[2,[3]]]", "[1,2,3]"),
      .value { input, environment throws(ExpressionError) in try flatten(input, .infinity, environment) }),
    Builtin(
      "flatten", ["$depth"], "The elements of arrays within, down to a depth.",
      Example("flatten(1)", "[1,[2,[3]]]", "[1,2,[3]]"),
      .value1 { input, depth, environment throws(ExpressionError) in
        if JSONValue.compare(depth, 0) < 0 { throw .badValue("flatten depth must not be negative") }
        return try flatten(input, depth.asNumber ?? .infinity, environment)
      }),
    Builtin(
      "transpose", [], "Rows as columns; short rows are filled up with null.",
      Example("transpose", "[[1,2],[3]]", "[[1,3],[2,null]]"),
      .definition("[range(0; map(length) | max // 0) as $i | [.[][$i]]]")),
    Builtin(
      "combinations", [], "All ways to take one element of each array.",
      Example("[combinations]", "[[1,2],[3]]", "[[1,3],[2,3]]"),
      .definition(
        "def c: if length == 0 then [] else .[0][] as $x | (.[1:] | c) as $w | [$x] + $w end; c")),
    Builtin(
      "combinations", ["n"], "All ways to take n elements.",
      Example("[combinations(2)]", "[0,1]", "[[0,0],[0,1],[1,0],[1,1]]"),
      .definition(". as $dot | [range(n)] | map($dot) | combinations")),
  ]

  private static func reverse(
    _ input: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    guard case .array(let items) = input else {
      // A value without a length is empty in reverse too.
      if try Builtin.length(input, environment) == 0 { return .array([]) }
      throw Indexing.cannotIndex(input, 0)
    }
    try environment.charge(values: 4 * items.count)
    return .array(items.reversed())
  }

  private static func flatten(
    _ input: JSONValue, _ depth: Double, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    var flat: [JSONValue] = []
    try flatten(input, depth, into: &flat, environment)
    return .array(flat)
  }

  private static func flatten(
    _ input: JSONValue, _ depth: Double, into flat: inout [JSONValue], _ environment: Environment
  ) throws(ExpressionError) {
    try environment.guardStack()
    _ = try Iteration.each(of: input, environment) { item throws(ExpressionError) in
      if case .array = item, depth > 0 {
        try flatten(item, depth - 1, into: &flat, environment)
      } else {
        flat.append(item)
      }
      return .next
    }
  }
}
