import GraphEngine
import GraphModel
import Testing

/// `send_to` with values that its target does not accept.
@Suite struct `A binding` {
  @Test func `counts what is sent to an input that has ended, and warns once until that takes values again`() throws {
    let graph = try TestGraph(
      signals: "a: {input: {}}\nb: {input: {endable: true}}\nx: {from: a, pipe: [{send_to: b}]}")
    try graph.send("1", to: "a")
    try graph.runtime.end(graph.signal("b"), with: .completed)
    for value in 2...4 { try graph.send("\(value)", to: "a") }
    #expect(graph.signal("x").losses.dropped == 3)
    #expect(graph.said(by: "x", "b") == ["x#1 1", "b#1 1", "b completed", "x#2 2", "x#3 3", "x#4 4"])
    #expect(graph.warnings == ["x: g.b has ended: values sent to it are lost"])
    graph.runtime.restart(["g.b"])
    try graph.send("5", to: "a")
    #expect(graph.said(by: "b") == ["b#2 5"])
    #expect(graph.signal("x").losses.dropped == 3)
    try graph.runtime.end(graph.signal("b"), with: .completed)
    try graph.send("6", to: "a")
    #expect(graph.warnings.count == 2)
  }

  @Test func `names no private signal where clients see it`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        hidden: {input: {type: boolean}, private: true}
        loop: {input: {}, private: true}
        x: {from: a, pipe: [{send_to: hidden}]}
        y: {merge: [a, loop], pipe: [{send_to: loop}]}
        """)
    try graph.send("1", to: "a")
    let messages = graph.refusals.map(\.failure.message)
    #expect(messages.contains("a private signal takes a boolean, not a number"), "\(messages)")
    #expect(
      messages.contains(
        "more than 1000 turns from one cause: a private signal → a private signal (limits.chain)"), "\(messages)")
    #expect(messages.allSatisfy { !$0.contains("hidden") && !$0.contains("loop") })
    // The log is for readers of the configuration.
    #expect(graph.warnings.contains { $0.contains("g.loop → g.loop (limits.chain)") }, "\(graph.warnings)")
  }
}
