import SignalGraph
import Testing

@Suite struct ReloadTests {
  private func configuration(_ graphs: String) throws -> Configuration {
    try TestGraph.configuration("signalbox: 1\ngraphs:\n\(graphs)")
  }

  @Test func `graphs that did not change keep their state, and the others start afresh`() throws {
    let graph = TestGraph(
      try configuration(
        """
          kept: {signals: {a: {input: {}}, sum: {from: a, pipe: [{scan: {initial: 0, next: $state + .}}]}}}
          old: {signals: {a: {input: {}}, gone: {from: a}, same: {from: a, hold: true}}}
        """))
    try graph.send("1", to: "kept.a")
    try graph.send("7", to: "old.a")
    _ = graph.said()

    let verdict = graph.reload(
      try configuration(
        """
          kept: {doc: said anew, signals: {a: {input: {}, doc: here}, sum: {from: a, pipe: [{scan: {initial: 0, next: $state + .}}]}}}
          old: {signals: {a: {input: {}}, same: {from: a, hold: {initial: 3}}, new: {property: {initial: 1}}}}
        """))

    var expected = ReloadVerdict(generation: 2)
    expected.kept = ["kept.a", "kept.sum"]
    expected.changed = ["old.a", "old.same"]
    expected.added = ["old.new"]
    expected.removed = ["old.gone"]
    #expect(verdict == expected)
    #expect(graph.said() == ["same#2 3", "new#1 1"])
    #expect(graph.signal("kept.a").declaration.traits.documentation == "here")

    try graph.send("1", to: "kept.a")
    #expect(graph.said(by: "sum") == ["sum#2 2"])
    try graph.send("8", to: "old.a")
    #expect(graph.said(by: "a", "same") == ["a#2 8", "same#3 8"])
  }

  @Test func `pending timers of a replaced graph are dropped`() throws {
    let graph = TestGraph(try configuration("  g: {signals: {a: {input: {}}, b: {from: a, pipe: [{debounce: 2s}]}}}"))
    try graph.send("1", to: "a")
    _ = graph.reload(try configuration("  g: {signals: {a: {input: {}}, b: {from: a, pipe: [{debounce: 3s}]}}}"))
    _ = graph.said()
    graph.advance(to: 10)
    #expect(graph.said() == [])
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test func `an ended signal that changed begins again under its name`() throws {
    let graph = TestGraph(try configuration("  g: {signals: {a: {input: {endable: true}}}}"))
    try graph.runtime.end(graph.signal("a"), with: .completed)
    _ = graph.reload(try configuration("  g: {signals: {a: {input: {endable: true, type: number}}}}"))
    try graph.send("1", to: "a")
    #expect(graph.said() == ["a completed", "a#1 1"])
  }

  @Test func `the number of a signal that was removed goes on when it comes back`() throws {
    let graph = TestGraph(try configuration("  g: {signals: {a: {input: {}}}}"))
    try graph.send("1", to: "a")
    _ = graph.reload(try configuration("  g: {signals: {b: {input: {}}}}"))
    _ = graph.reload(try configuration("  g: {signals: {a: {input: {}}}}"))
    try graph.send("2", to: "a")
    #expect(graph.said(by: "a") == ["a#1 1", "a#2 2"])
  }

  @Test func `limits apply at once, to graphs that are kept too`() throws {
    let signals = "graphs: {g: {signals: {a: {input: {}}, b: {from: a, pipe: [{map: '[range(.)] | add'}]}}}}\n"
    let graph = TestGraph(try TestGraph.configuration("signalbox: 1\n" + signals))
    try graph.send("5000", to: "a")
    let verdict = graph.reload(
      try TestGraph.configuration("signalbox: 1\nserver: {limits: {expression: 1000}}\n" + signals))
    #expect(verdict.kept == ["g.a", "g.b"])
    try graph.send("5000", to: "a")
    #expect(graph.said(by: "b") == ["b#1 12497500"])
    #expect(graph.refusals.map(\.failure.code) == ["limit"])
  }

  @Test func `settings that a running daemon cannot take over are named`() throws {
    let graph = TestGraph(try configuration("  g: {signals: {a: {input: {}}}}"))
    let verdict = graph.reload(
      try TestGraph.configuration("signalbox: 1\nserver: {socket: {path: /run/other.sock}}\ngraphs: {}\n"))
    #expect(verdict.needsRestart == ["server.socket.path"])
    let back = graph.reload(try TestGraph.configuration("signalbox: 1\ngraphs: {}\n"))
    #expect(back.needsRestart.isEmpty)
    #expect(verdict.removed == ["g.a"])
  }
}
