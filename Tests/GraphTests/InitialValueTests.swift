import Testing

/// The initial value of `hold` counts as a received one, for operators that compare at the end of the pipe.
@Suite struct `Initial values of hold` {
  @Test(arguments: [
    ("skip_repeats", "1", ["2", "2", "1"], ["x#1 1", "x#2 2", "x#3 1"]),
    ("skip_repeats", "1", ["1", "1", "2"], ["x#1 1", "x#2 2"]),
    ("{skip_repeats: {by: . % 2}}", "1", ["3", "2"], ["x#1 1", "x#2 2"]),
    ("skip_repeats, {log: seen}", "1", ["1", "2"], ["x#1 1", "x#2 2"]),
    ("{unique: {max_keys: 9}}", "1", ["1", "2", "1"], ["x#1 1", "x#2 2"]),
    ("{unique: {max_keys: 9, by: . % 2}}", "1", ["3", "2"], ["x#1 1", "x#2 2"]),
    ("{skip_repeats: {by: .a}}", "1", ["1"], ["x#1 1"]),
    // Others get the received values.
    ("skip_repeats, {map: '. * 1'}", "1", ["1", "2"], ["x#1 1", "x#2 1", "x#3 2"]),
    ("skip_repeats, pairwise", "1", ["1", "2"], ["x#1 1", "x#2 [1,2]"]),
    ("{scan: {initial: 0, next: $state + 1}}", "0", ["5"], ["x#1 0", "x#2 1"]),
  ])
  func `it is not emitted twice`(pipe: String, initial: String, values: [String], expected: [String]) throws {
    let graph = try TestGraph(
      signals: "a: {input: {}}\nx: {from: a, pipe: [\(pipe)], hold: {initial: \(initial)}}")
    for value in values { try graph.send(value, to: "a") }
    #expect(graph.said(by: "x") == expected)
  }

  @Test func `a lazy signal emits it at the start of each run, and compares with it again`() throws {
    let graph = try TestGraph(
      signals: "a: {input: {}}\nx: {from: a, lazy: true, pipe: [skip_repeats], hold: {initial: 1}}")
    for _ in 0..<2 {
      graph.attach(to: "x")
      try graph.send("1", to: "a")
      try graph.send("2", to: "a")
      graph.detach(from: "x")
    }
    #expect(graph.said(by: "x") == ["x#1 1", "x#2 2", "x#3 1", "x#4 2"])
  }
}
