import GraphEngine
import GraphModel
import JSON
import Testing

/// The run policies of signals: always, while subscribed to, or for each subscriber.
@Suite struct RunPolicyTests {
  @Test func `a lazy signal runs while it has subscribers, once for all of them`() throws {
    let graph = try TestGraph(signals: "ticks: {interval: 1s, lazy: true}")
    graph.advance(to: 5)
    #expect(graph.said() == [])
    #expect(graph.runtime.nextDeadline == nil)
    graph.attach(to: "ticks")
    graph.attach(to: "ticks")
    graph.advance(to: 7)
    graph.detach(from: "ticks")
    graph.advance(to: 8)
    graph.detach(from: "ticks")
    graph.advance(to: 9)
    #expect(graph.said() == ["ticks#1 0", "ticks#2 1", "ticks#3 2"])
    #expect(graph.runtime.nextDeadline == nil)
    graph.attach(to: "ticks")
    graph.advance(to: 10)
    #expect(graph.said() == ["ticks#4 0"])
  }

  @Test func `a lazy signal runs for the signals that are computed from it, as far as these run`() throws {
    let graph = try TestGraph(
      signals: """
        start: {values: [1, 2], lazy: true}
        shared: {from: start, pipe: [{map: . * 10}], lazy: true}
        idle: {from: start, lazy: true}
        user: {from: shared}
        """)
    #expect(
      graph.said() == [
        "start#1 1", "shared#1 10", "user#1 10", "start#2 2", "shared#2 20", "user#2 20", "start completed",
        "shared completed", "user completed",
      ])
  }

  @Test func `a signal that has ended listens no more`() throws {
    let graph = try TestGraph(
      signals: """
        ticks: {interval: 1s, lazy: true}
        own: {interval: 1s, cold: true}
        x: {from: ticks, pipe: [{take: 1}]}
        y: {from: own, pipe: [{take: 2}]}
        """)
    graph.advance(to: 3)
    #expect(
      graph.said(by: "ticks", "x", "y") == ["ticks#1 0", "x#1 0", "x completed", "y#1 0", "y#2 1", "y completed"])
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test(.inOneRuntime) func `a cold signal runs for each of its users`() throws {
    let graph = try TestGraph(
      signals: """
        count: {interval: 1s, cold: true}
        a: {from: count}
        b: {from: count, pipe: [{map: . * 10}]}
        """)
    graph.advance(to: 1)
    var events: [String] = []
    let run = graph.runtime.startRun(of: graph.signal("count")) { event in
      if case .next(let value, let sequence) = event { events.append("#\(sequence) \(value)") }
    }
    graph.advance(to: 2)
    #expect(graph.said() == ["a#1 0", "b#1 0", "a#2 1", "b#2 10"])
    #expect(events == ["#1 0"])
    run.stop()
    graph.advance(to: 3)
    #expect(events == ["#1 0"])
    #expect(run.sequence == 1)
  }

  @Test func `a run of a cold signal emits what happens at once, and its ending`() throws {
    let graph = try TestGraph(signals: "few: {values: [1, 2], cold: true, pipe: [{map: . * 2}]}")
    var events: [String] = []
    _ = graph.runtime.startRun(of: graph.signal("few")) { event in
      switch event {
      case .next(let value, let sequence): events.append("#\(sequence) \(value)")
      case .ended(let ending): events.append("\(ending)")
      }
    }
    #expect(events == ["#1 2", "#2 4", "completed"])
  }

  @Test func `replay drops what is older than it allows`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        recent: {from: a, replay: {for: 10s}}
        few: {from: a, replay: {count: 2, for: 10s}}
        """)
    for (time, value) in [(0, "1"), (4, "2"), (8, "3")] {
      graph.advance(to: Double(time))
      try graph.send(value, to: "a")
    }
    #expect(graph.signal("recent").retained.latest(9).map(\.sequence) == [1, 2, 3])
    #expect(graph.signal("few").retained.latest(9).map(\.sequence) == [2, 3])
    graph.advance(to: 13)
    #expect(graph.signal("recent").retained.latest(9).map(\.sequence) == [2, 3])
    graph.advance(to: 20)
    #expect(!graph.signal("recent").isHeld)
    try graph.send("4", to: "a")
    #expect(graph.signal("few").retained.latest(9).map(\.sequence) == [4])
  }

  @Test func `signals of other graphs are used by their full names, in any order of the file`() throws {
    let graph = TestGraph(
      try TestGraph.configuration(
        """
        signalbox: 1
        graphs:
          roof: {signals: {wind: {from: house.wind, pipe: [{map: . * 2}]}, both: {combine: [wind, house.wind]}}}
          house: {signals: {wind: {input: {}}}}
        """))
    try graph.send("3", to: "house.wind")
    #expect(graph.said() == ["wind#1 3", "wind#1 6", "both#1 [6,3]"])
  }

  @Test func `a cycle through several graphs is printed`() throws {
    let text = """
      signalbox: 1
      graphs:
        a: {signals: {x: {from: b.y}}}
        b: {signals: {y: {merge: [{from: c.z}]}}}
        c: {signals: {z: {from: a.x}}}
      """
    let error = #expect(throws: ConfigurationError.self) { _ = try TestGraph.configuration(text) }
    guard case .invalid(let diagnostics)? = error else { return }
    #expect(
      diagnostics.list.map(\.message) == [
        "a signal cannot depend on itself: a.x → c.z → b.y → a.x (values flow in this direction); only send_to may close a cycle"
      ])
  }

  @Test func `what an expression refuses appears on the daemon's own signal, which graphs can use`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        b: {from: a, pipe: [{map: .v}]}
        alarms: {from: signalbox.errors, pipe: [{map: .signal}]}
        """)
    try graph.send("[1]", to: "a")
    #expect(graph.said(by: "alarms") == [#"alarms#1 "g.b""#])
    #expect(graph.runtime.own.errors.sequence == 1)
  }

  @Test func `an inline declaration decides itself what becomes of values that are refused`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        b: {merge: [{from: a, pipe: [{map: .v}], on_error: emit}, {from: a, pipe: [{map: .w}]}]}
        """)
    try graph.send("[1]", to: "a")
    #expect(graph.said(by: "b").map { $0.prefix(14) } == [#"b#1 {"error":{"#])
    #expect(graph.signal("b").losses.errors == 2)
  }
}
