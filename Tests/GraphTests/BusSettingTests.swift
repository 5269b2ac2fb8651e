import GraphEngine
import GraphModel
import GraphStories
import JSON
import Testing

/// Properties set by signals, with a service controlled by the test.
@Suite struct `A property of D-Bus that is written` {
  private static func graph(_ beside: String = "", _ others: String = "") throws -> TestGraph {
    try TestGraph(
      signals: """
        x: {dbus: {name: org.a.B, path: /a, interface: org.a.I, property: P, write: true}\(beside)}
        \(others)
        """)
  }

  @Test(.inOneRuntime) func `a value that is sent is set, and emitted when the service reports it`() throws {
    let graph = try Self.graph()
    #expect(graph.signal("x").kind == .property)
    try graph.send("5", to: "x")
    #expect(graph.played.questions.map(\.text) == ["P = 5"])
    #expect(graph.said() == [])
    graph.played.questions[0].answer(.returned([]))
    #expect(graph.said() == [])
    graph.played.tell(["P": 5])
    #expect(graph.said() == ["x#1 5"])
    #expect(graph.refusals.isEmpty)
  }

  @Test(
    .inOneRuntime,
    arguments: [("drop", []), ("emit", [#"x#1 {"error":{"code":"bus","message":"no"}}"#]), ("fail", ["x failed bus"])])
  func `a value that the service refuses is refused as by an expression`(policy: String, said: [String]) throws {
    let graph = try Self.graph(", on_error: \(policy)")
    try graph.send("5", to: "x")
    try graph.send("6", to: "x")
    graph.played.questions[1].answer(.failed(SignalFailure(code: "bus", message: "no")))
    graph.played.questions[0].answer(.returned([]))
    #expect(graph.said() == said)
    #expect(graph.refusals.map(\.value) == [6])
    #expect(graph.refusals.map(\.failure.code) == ["bus"])
  }

  @Test(.inOneRuntime) func `other signals send to it, each value in its order`() throws {
    let graph = try Self.graph("", "in: {input: {}, pipe: [{send_to: x}]}")
    for value in 1...3 { try graph.send("\(value)", to: "in") }
    #expect(graph.played.questions.map(\.text) == ["P = 1", "P = 2", "P = 3"])
    graph.runtime.stop()
    #expect(graph.played.questions.map(\.isWithdrawn) == [true, true, true])
  }

  @Test(.inOneRuntime) func `a service that does not answer does not make values pile up without end`() throws {
    let graph = try Self.graph()
    for value in 0..<1001 { try graph.send("\(value)", to: "x") }
    #expect(graph.played.questions.count == 1000)
    #expect(graph.refusals.map(\.failure.code) == ["limit"])
    graph.played.questions[0].answer(.returned([]))
    try graph.send("1", to: "x")
    #expect(graph.played.questions.count == 1001)
  }

  @Test func `what was under way when the graph was encoded is asked again`() throws {
    let graph = try TestGraph(
      signals: "x: {dbus: {name: org.a.B, path: /a, interface: org.a.I, property: P, write: true}}", restarts: true)
    try graph.send("5", to: "x")
    #expect(graph.played.questions.map(\.text) == ["P = 5"])
    _ = graph.runtime
    #expect(graph.played.questions.map(\.text) == ["P = 5", "P = 5"])
    #expect(graph.played.questions.map(\.isWithdrawn) == [true, false])
    graph.played.questions[1].answer(.failed(SignalFailure(code: "bus", message: "no")))
    #expect(graph.refusals.map(\.value) == [5])
    _ = graph.runtime
    #expect(graph.played.questions.count == 2)
  }
}
