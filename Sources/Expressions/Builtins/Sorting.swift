internal import JSON

/// Sorting, grouping, and the least and greatest.
extension Builtin {
  static let sorting: [Builtin] = [
    Builtin(
      "sort", [], "The elements in order.", Example("sort", "[2,1]", "[1,2]"),
      .node { _ in KeyedNode(nil, isSorted: true) { keyed, _ in .array(keyed.map(\.element)) } }),
    Builtin(
      "sort_by", ["f"], "The elements sorted by an expression.",
      Example("sort_by(-.)", "[1,2]", "[2,1]"),
      .node { KeyedNode($0[0], isSorted: true) { keyed, _ in .array(keyed.map(\.element)) } }),
    Builtin(
      "group_by", ["f"], "The elements grouped by an expression, in order.",
      Example("group_by(. % 2)", "[1,2,3]", "[[2],[1,3]]"),
      .node {
        KeyedNode($0[0], isSorted: true) { keyed, _ in .array(runs(of: keyed).map { .array($0.map(\.element)) }) }
      }),
    Builtin(
      "unique", [], "The elements in order, each once.", Example("unique", "[2,1,2]", "[1,2]"),
      .node { _ in KeyedNode(nil, isSorted: true) { keyed, _ in .array(runs(of: keyed).map(\.[0].element)) } }),
    Builtin(
      "unique_by", ["f"], "The first element of each group.", Example("unique_by(. % 2)", "[1,2,3]", "[2,1]"),
      .node { KeyedNode($0[0], isSorted: true) { keyed, _ in .array(runs(of: keyed).map(\.[0].element)) } }),
    Builtin(
      "min", [], "The least element; null when there is none.", Example("min", "[2,1]", "1"),
      .node { _ in KeyedNode(nil, isSorted: false, least) }),
    Builtin(
      "max", [], "The greatest element; null when there is none.", Example("max", "[2,1]", "2"),
      .node { _ in KeyedNode(nil, isSorted: false, greatest) }),
    Builtin(
      "min_by", ["f"], "The element with the least value of an expression.",
      Example("min_by(.a)", #"[{"a":2},{"a":1}]"#, #"{"a":1}"#), .node { KeyedNode($0[0], isSorted: false, least) }),
    Builtin(
      "max_by", ["f"], "The element with the greatest value of an expression.",
      Example("max_by(.a)", #"[{"a":2},{"a":1}]"#, #"{"a":2}"#), .node { KeyedNode($0[0], isSorted: false, greatest) }),
    Builtin(
      "bsearch", ["$x"], "The position of a value in a sorted array, or -1 - where it would be inserted.",
      Example("bsearch(2)", "[1,3]", "-2"),
      .value1 { input, target, environment throws(ExpressionError) in try search(input, target, environment) }),
  ]

  /// Returns the groups of neighbours with equal keys.
  private static func runs(of sorted: [Keyed]) -> [[Keyed]] {
    var runs: [[Keyed]] = []
    for keyed in sorted {
      if let last = runs.last?.first, last.key == keyed.key {
        runs[runs.count - 1].append(keyed)
      } else {
        runs.append([keyed])
      }
    }
    return runs
  }

  /// Returns the first of equal values.
  @Sendable
  private static func least(_ keyed: [Keyed], _ environment: Environment) throws(ExpressionError) -> JSONValue {
    guard var best = keyed.first else { return .null }
    for candidate in keyed.dropFirst() {
      try environment.step()
      if try Ordering.compare(candidate.key, best.key, environment) < 0 { best = candidate }
    }
    return best.element
  }

  /// Returns the last of equal values.
  @Sendable
  private static func greatest(_ keyed: [Keyed], _ environment: Environment) throws(ExpressionError) -> JSONValue {
    guard var best = keyed.first else { return .null }
    for candidate in keyed.dropFirst() {
      try environment.step()
      if try Ordering.compare(candidate.key, best.key, environment) >= 0 { best = candidate }
    }
    return best.element
  }

  private static func search(
    _ input: JSONValue, _ target: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    guard case .array(let items) = input else { throw .badValue("\(input.described) cannot be searched from") }
    // The search probes as jq's does, which is visible if the array is not sorted.
    var (low, high) = (0, items.count)
    while low < high {
      try environment.step()
      let middle = low + (high - low) / 2
      let order = try Ordering.compare(target, items[middle], environment)
      if order == 0 { return .number(Double(middle)) }
      if order < 0 { high = middle } else { low = middle + 1 }
    }
    return .number(Double(-1 - low))
  }
}
