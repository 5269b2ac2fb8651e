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

  @Test(arguments: [
    "x: {from: n, pipe: [{map: tostring}], hold: {initial: none}}", "x: {from: n, hold: {initial: null}}",
    "x: {from: n, pipe: [{start_with: [none]}], hold: {initial: none}}",
    "x: {from: n, pipe: [{filter: . > 1}], on_error: emit, hold: {initial: {error: {code: none, message: ''}}}}",
    "x: {from: p, hold: {initial: none}}", "x: {merge: [n, s], hold: {initial: none}}",
    "x: {from: n, pipe: [{window: {count: 2}}], hold: {initial: []}}", "x: {input: {}, hold: {initial: none}}",
    "y: {from: n, pipe: [{map: '{x: .}'}]}\nx: {from: y, hold: {initial: none}}",
    "x: {input: {type: number}, pipe: [{map: tostring}], hold: {initial: none}}",
    "x: {from: n, pipe: [{catch: s}], hold: {initial: none}}",
    "x: {from: n, pipe: [{sample: {on: s, with_value: true}}], hold: {initial: []}}",
  ])
  func `it may have another type than an input where the pipe may change it, or be null`(signal: String) throws {
    let inputs = "n: {input: {type: number}}\ns: {input: {type: string}}\np: {property: {initial: 1}}\n"
    _ = try TestGraph(signals: inputs + signal)
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
