import GraphEngine
import GraphModel
import JSON
import Testing

/// The reports of values that are dropped by the bounds of all graphs.
@Suite struct `Bounds of graphs` {
  private func graph(limits: String, _ signals: String) throws -> TestGraph {
    let lines = signals.split(separator: "\n").map { "      \($0)\n" }.joined()
    return TestGraph(
      try TestGraph.configuration("signalbox: 1\nserver: {limits: {\(limits)}}\ngraphs:\n  g:\n    signals:\n\(lines)"))
  }

  private func errors(_ graph: TestGraph) -> [String] {
    graph.refusals.map {
      "\($0.signal) \($0.operatorName) \($0.failure.code): \($0.failure.message)"
    }
  }

  @Test func `each graph has all its first values, however many graphs and signals there are`() throws {
    let signals = (0..<30).map { "      p\($0): {property: {initial: \($0)}}\n" }.joined()
    let graphs = (0..<10).map { "  g\($0):\n    signals:\n\(signals)      all: {values: [1, 2, 3, 4, 5]}\n" }.joined()
    let header = "signalbox: 1\nserver: {limits: {turn: 10}}\ngraphs:\n"
    let graph = TestGraph(try TestGraph.configuration(header + graphs))
    #expect(graph.runtime.signals.allSatisfy { $0.sequence == ($0.name.hasSuffix("all") ? 5 : 1) })
    let another = graphs.replacing("initial: 0", with: "initial: 7").replacing("  g", with: "  h")
    _ = graph.reload(try TestGraph.configuration(header + another))
    #expect(graph.runtime.signals.allSatisfy { $0.sequence == ($0.name.hasSuffix("all") ? 5 : 1) })
    #expect(graph.warnings == [])
  }

  @Test(arguments: [
    "property: {initial: L}", "input: {}, hold: {initial: L}", "value: L", "values: [1, L]",
    "never: true, pipe: [{start_with: [L]}]", "never: true, pipe: [{end_with: [{a: L}]}]",
    "never: true, pipe: [{map_to: [L]}]", "marble: {diagram: a, values: {a: L}}",
  ])
  func `a value of the file that is larger than a value may be is refused`(declaration: String) {
    let text = declaration.replacing("L", with: String(repeating: "x", count: 99))
    do {
      _ = try graph(limits: "value: 99", "x: {\(text)}")
      Issue.record("it was accepted")
    } catch ConfigurationError.invalid(let diagnostics) {
      #expect(diagnostics.list.map(\.text) == ["value exceeds 99 bytes (limits.value)"])
      #expect(diagnostics.list.first?.place.line == 6)
    } catch {
      Issue.record("\(error)")
    }
    #expect(throws: Never.self) { try graph(limits: "value: 200", "x: {\(text)}") }
  }

  @Test(arguments: [
    ("take: 9223372036854775807", ["x#1 1", "x#2 2"]), ("skip: 9223372036854775807", []),
    ("element_at: 9223372036854775807", []),
  ])
  func `a count may be the greatest integer`(step: String, emitted: [String]) throws {
    let graph = try TestGraph(signals: "a: {input: {}}\nx: {from: a, pipe: [{\(step)}]}")
    for value in ["1", "2"] { try graph.send(value, to: "a") }
    #expect(graph.said(by: "x") == emitted)
  }

  @Test func `values past the bound of a turn are dropped, and the error names the signal`() throws {
    let graph = try graph(limits: "turn: 10", "a: {input: {}}\nmany: {from: a, pipe: [{map: 'range(.)'}]}")
    try graph.send("50", to: "a")
    #expect(graph.signal("many").sequence == 9)
    #expect(graph.signal("many").losses.dropped == 41)
    #expect(errors(graph) == ["g.many map limit: more than 10 values in one turn (limits.turn)"])
    #expect(graph.signal("signalbox.errors").sequence == 1)
    try graph.send("50", to: "a")
    #expect(graph.signal("signalbox.errors").sequence == 2)
  }

  @Test func `a value past its bound is dropped, and the error names the signal`() throws {
    let graph = try graph(limits: "value: 100", "a: {input: {}}\npairs: {from: a, pipe: [pairwise]}")
    let long = "\"" + String(repeating: "x", count: 60) + "\""
    for value in ["1", long, long, long, "2"] { try graph.send(value, to: "a") }
    #expect(graph.signal("pairs").losses.dropped == 2)
    #expect(errors(graph) == ["g.pairs pairwise limit: value exceeds 100 bytes (limits.value)"])
  }

  @Test(arguments: [
    ("flat_map: {concat: {from: later}, limit: 2, overflow: drop_oldest}", [1, 2, 3, 4, 5], 2),
    ("flat_map: {concat: {from: later}, limit: 2, overflow: drop_newest}", [1, 2, 3, 4, 5], 2),
    ("flat_map: {merge: {from: later}, concurrent: 1, limit: 1, overflow: drop_newest}", [1, 2, 3, 4], 2),
    ("group_by: {key: ., max_keys: 2, overflow: drop_newest, pipe: [count]}", [1, 2, 3, 1, 3, 4], 3),
    ("group_by: {key: ., max_keys: 2, overflow: drop_oldest, pipe: [count]}", [1, 2, 3, 1], 0),
    ("unique: {max_keys: 2, overflow: drop_newest}", [1, 2, 3, 1, 4], 2),
    ("buffer: {until: 'false', limit: 2, overflow: drop_oldest}", [1, 2, 3, 4], 2),
    ("expand: {next: '. + 1', limit: 3}", [1, 2], 2),
  ])
  func `a value that an operator has no room for is counted`(pipe: String, values: [Int], dropped: Int) throws {
    let graph = try TestGraph(signals: "a: {input: {}}\nlater: {input: {}}\nx: {from: a, pipe: [{\(pipe)}]}")
    for value in values { try graph.send("\(value)", to: "a") }
    #expect(graph.signal("x").losses.dropped == UInt64(dropped))
    #expect(graph.signal("x").losses.errors == 0)
    #expect(graph.warnings.isEmpty == (dropped == 0))
  }

  @Test func `a cycle past the bound of a chain is broken, and the error names it`() throws {
    let graph = try graph(
      limits: "chain: 20",
      """
      a: {input: {}}
      b: {input: {}}
      x: {from: a, pipe: [{send_to: b}]}
      y: {from: b, pipe: [{send_to: a}]}
      """)
    try graph.send("1", to: "a")
    let found = errors(graph)
    #expect(found.count == 1)
    #expect(found.first?.contains("send_to limit: more than 20 turns from one cause: ") == true, "\(found)")
    #expect(
      found.first?.contains("g.a → g.b → g.a") == true || found.first?.contains("g.b → g.a → g.b") == true, "\(found)")
    try graph.send("1", to: "a")
    #expect(errors(graph).count == 2)
  }

  @Test func `a long chain of turns leaves as it came`() throws {
    let graph = try graph(limits: "chain: 200000", "a: {input: {}}\nx: {from: a, pipe: [{map: . + 1}, {send_to: a}]}")
    try graph.send("1", to: "a")
    #expect(graph.signal("a").sequence == 200_001)
  }
}
