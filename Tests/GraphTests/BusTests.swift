import GraphEngine
import GraphModel
import GraphStories
import GraphTools
import JSON
import Testing

/// D-Bus properties and signals as sources, controlled by the test.
@Suite struct `D-Bus as a source` {
  private static let place = "name: org.a.B, path: /a, interface: org.a.I"

  /// Returns a graph with a signal `x` of one object, beside others.
  private static func graph(_ parameters: String, beside: String = "", _ others: String = "") throws -> TestGraph {
    try TestGraph(signals: "x: {dbus: {\(place), \(parameters)}\(beside)}\n\(others)")
  }

  // MARK: Properties

  @Test func `a property is watched, and each value that is reported is emitted`() throws {
    let graph = try Self.graph("property: P, every: 10s, activate: true, bytes: text, bus: session")
    #expect(
      graph.played.watched == [
        BusProperties(
          of: BusObject(bus: .session, name: "org.a.B", path: "/a"),
          [BusProperties.Group(interface: "org.a.I", properties: ["P"])], every: .seconds(10), activates: true,
          bytes: .text)
      ])
    #expect(graph.said() == [])
    #expect(graph.signal("x").kind == .source)
    for value in [1, 2] as [JSONValue] { graph.played.tell(["P": value]) }
    #expect(graph.said() == ["x#1 1", "x#2 2"])
    #expect(graph.signal("x").isHeld)
    graph.runtime.stop()
    #expect(graph.played.watched.isEmpty)
  }

  @Test(.inOneRuntime) func `a value like the last one is emitted where it is announced`() throws {
    let graph = try Self.graph("property: P")
    for _ in 1...2 { graph.played.tell(["P": "a"]) }
    #expect(graph.said() == [#"x#1 "a""#, #"x#2 "a""#])
    graph.played.tell(["Other": 1])
    #expect(graph.said() == [])
  }

  @Test func `properties make one object of all that are known, and what changes together is one value`() throws {
    let graph = try Self.graph("properties: [A, B, C]", "n: {from: x, pipe: [map: .A]}")
    graph.played.tell(["B": 2, "A": 1])
    graph.played.tell(["A": 3, "B": 4])
    graph.played.tell(["C": nil])
    #expect(
      graph.said(by: "x") == [#"x#1 {"A":1,"B":2}"#, #"x#2 {"A":3,"B":4}"#, #"x#3 {"A":3,"B":4,"C":null}"#])
  }

  @Test func `while the name has no owner the value is null, and what comes back is emitted as it is then`() throws {
    let graph = try Self.graph("properties: [A, B]")
    graph.played.tell(.gone)
    graph.played.tell(.gone)
    graph.played.tell(["A": 1, "B": 2])
    graph.played.tell(.gone)
    graph.played.tell(["A": 1])
    #expect(graph.said() == ["x#1 null", #"x#2 {"A":1,"B":2}"#, "x#3 null", #"x#4 {"A":1}"#])
  }

  @Test func `with missing keep the last value stays, and is not emitted again if it is the same`() throws {
    let graph = try Self.graph("property: P, missing: keep")
    graph.played.tell(.gone)
    graph.played.tell(["P": 1])
    graph.played.tell(.gone)
    graph.played.tell(["P": 1])
    #expect(graph.said() == ["x#1 1"])
    graph.played.tell(.gone)
    graph.played.tell(["P": 2])
    #expect(graph.said() == ["x#2 2"])
  }

  @Test func `with missing fail the signal fails, and retry watches again`() throws {
    let graph = try Self.graph("property: P, missing: fail")
    graph.played.tell(["P": 1])
    graph.played.tell(.gone)
    #expect(graph.said() == ["x#1 1", "x failed gone"])
    #expect(graph.played.watched.isEmpty)
    guard case .failed(let failure)? = graph.signal("x").ending else { return }
    #expect(failure.message == "org.a.B has no owner on the system bus, or the bus is not connected")
    graph.runtime.restart(["g.x"])
    #expect(graph.played.watched.count == 1)

    let retried = try Self.graph("property: P, missing: fail", beside: ", pipe: [{retry: {delay: 1s}}]")
    retried.played.tell(["P": 1])
    retried.played.tell(.gone)
    #expect(retried.played.watched.isEmpty)
    retried.advance(to: 1)
    #expect(retried.played.watched.count == 1)
    retried.played.tell(["P": 1])
    #expect(retried.said() == ["x#1 1", "x#2 1"])
  }

  @Test func `something that makes no value is refused, and all continues`() throws {
    let failure = SignalFailure(code: "bad_value", message: "a file descriptor")
    let graph = try Self.graph("property: P")
    graph.played.tell(.refused(failure))
    graph.played.tell(["P": 1])
    #expect(graph.said() == ["x#1 1"])
    #expect(graph.refusals.map(\.failure) == [failure])
    #expect(graph.refusals.map(\.operatorName) == ["dbus"])
    let failing = try Self.graph("property: P", beside: ", on_error: fail")
    failing.played.tell(.refused(failure))
    #expect(failing.said() == ["x failed bad_value"])
  }

  // MARK: Signals

  @Test func `a signal gives null, its argument, or a list of its arguments, and holds nothing`() throws {
    let graph = try Self.graph("signal: S, arguments: {0: eth0, 63: x}")
    #expect(
      graph.played.heard == [
        BusSignal(
          of: BusObject(bus: .system, name: "org.a.B", path: "/a"), interface: "org.a.I", member: "S",
          arguments: [0: "eth0", 63: "x"])
      ])
    graph.played.emit("S")
    graph.played.emit("S", true)
    graph.played.emit("S", 1, [2])
    #expect(graph.said() == ["x#1 null", "x#2 true", "x#3 [1,[2]]"])
    #expect(!graph.signal("x").isHeld)
    graph.runtime.stop()
    #expect(graph.played.heard.isEmpty)
  }

  @Test func `each emission is a turn of its own, and one that ends the signal is the last`() throws {
    let graph = try Self.graph(
      "signal: S", beside: ", pipe: [{take: 2}]", "n: {from: x, pipe: [{scan: {initial: 0, next: $state + 1}}]}")
    for _ in 1...3 { graph.played.emit("S") }
    #expect(graph.said(by: "n") == ["n#1 1", "n#2 2", "n completed"])
  }

  // MARK: Conditions

  @Test func `a lazy one watches while it has subscribers, a cold one for each`() throws {
    let graph = try TestGraph(
      signals: """
        l: {dbus: {\(Self.place), property: P}, lazy: true}
        c: {dbus: {\(Self.place), signal: S}, cold: true}
        """)
    #expect(graph.played.watched.isEmpty && graph.played.heard.isEmpty)
    graph.attach(to: "l")
    let runs = [1, 2].map { _ in graph.runtime.startRun(of: graph.signal("c")) { _ in } }
    if !TestGraph.restartsByDefault { #expect(graph.played.heard.count == 2) }
    #expect(graph.played.watched.count == 1)
    graph.played.tell(["P": 1])
    #expect(graph.said(by: "l") == ["l#1 1"])
    graph.detach(from: "l")
    for run in runs { run.stop() }
    #expect(graph.played.watched.isEmpty && graph.played.heard.isEmpty)
  }

  @Test func `a reload leaves one alone that has not changed, and restarts another`() throws {
    let graph = try Self.graph("property: P", "y: {input: {}}")
    graph.played.tell(["P": 1])
    _ = graph.said()
    let watches = graph.played.watchCount
    _ = graph.reload(
      try TestGraph.configuration(
        signals: "x: {dbus: {\(Self.place), property: P}, doc: new}\ny: {property: {initial: 1}}"))
    #expect(graph.said(by: "x") == [])
    if !TestGraph.restartsByDefault { #expect(graph.played.watchCount == watches) }
    _ = graph.reload(try TestGraph.configuration(signals: "x: {dbus: {\(Self.place), property: Q}}"))
    #expect(graph.played.watched.flatMap(\.groups).flatMap(\.properties) == ["Q"])
    graph.played.tell(["Q": 1])
    #expect(graph.said(by: "x") == ["x#2 1"])
  }

  @Test func `flat_map and switch start one, and dispose of it`() throws {
    let graph = try TestGraph(
      signals: """
        in: {input: {}}
        f: {from: in, pipe: [{flat_map: {latest: {dbus: {\(Self.place), property: P}}}}]}
        s: {switch: {on: in, cases: {a: {dbus: {\(Self.place), signal: S}}}, default: {never: true}}}
        """)
    #expect(graph.played.watched.isEmpty)
    try graph.send(#""a""#, to: "in")
    #expect(graph.played.watched.count == 1 && graph.played.heard.count == 1)
    graph.played.tell(["P": 1])
    graph.played.emit("S", 2)
    #expect(graph.said(by: "f", "s") == ["f#1 1", "s#1 2"])
    try graph.send(#""b""#, to: "in")
    #expect(graph.played.watched.count == 1 && graph.played.heard.isEmpty)
    graph.played.tell(["P": 1])
    #expect(graph.said(by: "f", "s") == ["f#2 1"])
    graph.runtime.stop()
    #expect(graph.played.watched.isEmpty)
  }

  @Test func `one that resumes from its state does not emit again what it has emitted`() throws {
    let graph = try TestGraph(
      signals: "x: {dbus: {\(Self.place), properties: [A, B]}, pipe: [{scan: {initial: 0, next: $state + 1}}]}",
      restarts: true)
    for values in [["A": 1, "B": 2], ["A": 1, "B": 2], ["A": 1, "B": 3]] as [[String: JSONValue]] {
      _ = graph.runtime
      graph.played.tell(values)
    }
    #expect(graph.said() == ["x#1 1", "x#2 2"])
  }

  @Test func `in a test no bus is asked, and the test speaks in its place`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            p: {dbus: {\(Self.place), property: P}}
            s: {dbus: {\(Self.place), signal: S}}
            w: {dbus: {\(Self.place), property: W, write: true}}
            u: {unit: a.service}
            all: {merge: [p, s, w, u]}
            again: {dbus: {\(Self.place), property: P, missing: fail}, pipe: [{retry: {delay: 1s}}]}
          tests:
            - given: {p: "a----", s: "-b---", w: "--c--", u: "---d-", again: "a----"}
              expect: {all: "abcd-", again: "a---b-"}
              script:
                - {at: 1s, end: {again: {failed: {code: gone}}}}
                - {at: 4s, send: {again: b}}
      """)
    var outcomes: [TestOutcome] = []
    configuration.runTests(restarts: TestGraph.restartsByDefault) { outcomes.append($0) }
    #expect(outcomes.count == 1)
    #expect(outcomes.flatMap(\.failures).isEmpty, "\(outcomes.map(\.report))")
  }
}
