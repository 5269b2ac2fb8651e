import GraphEngine
import GraphModel
import GraphStories
import JSON
import Testing

@testable import Persistence

/// Durable graphs with bus sources and bindings resume from disk.
@Suite struct `D-Bus around durable graphs` {
  private static let graph = """
    g:
      durable: true
      signals:
        p: {dbus: {name: org.a.B, path: /a, interface: org.a.I, property: P, write: true, SETTINGS}, replay: 100}
        both: {dbus: {name: org.a.B, path: /b, interface: org.a.I, properties: [A, B]}, replay: 100}
        s: {dbus: {name: org.a.B, path: /a, interface: org.a.I, signal: S}, replay: 100}
        u: {unit: a.service, replay: 100}
        count: {from: both, pipe: [{scan: {initial: 0, next: $state + 1}}], replay: 100}
    """

  private static func host(_ settings: String = "missing: keep") throws -> DurableHost {
    try DurableHost(graph.replacing("SETTINGS", with: settings))
  }

  private static let unit = "/org/freedesktop/systemd1/unit/a_2eservice"

  @Test func `a bus reports everything again in another life, and what was known is not emitted again`() throws {
    let host = try Self.host()
    for _ in 1...3 {
      host.world.played.tell(["P": 1], of: "/a")
      host.world.played.tell(["A": 1, "B": [2, "x"]], of: "/b")
      host.world.played.tell(["ActiveState": "active", "SubState": "running", "Result": "success"], of: Self.unit)
      host.settle()
      try host.kill()
      #expect(host.world.played.watched.count == 3 && host.world.played.heard.count == 1)
    }
    host.world.played.tell(["A": 2], of: "/b")
    host.world.played.tell(["P": 2], of: "/a")
    host.settle()
    #expect(host.told(of: "g.p") == ["g.p 1 1", "g.p 2 2"])
    // The first event after a start is the complete state.
    #expect(host.told(of: "g.both") == [#"g.both 1 {"A":1,"B":[2,"x"]}"#, #"g.both 2 {"A":2}"#])
    #expect(host.told(of: "g.count") == ["g.count 1 1", "g.count 2 2"])
    #expect(host.told(of: "g.u").count == 1)
  }

  @Test(arguments: [false, true]) func `what the bus reports leads to the same when it is replayed`(
    hasSnapshot: Bool
  ) throws {
    let host = try Self.host("missing: null")
    host.world.played.tell(["P": 1], of: "/a")
    host.world.played.tell(["A": 9_007_199_254_740_993, "B": nil], of: "/b")
    host.settle()
    if hasSnapshot {
      host.present.takeSnapshot()
      host.settle()
    }
    host.world.played.tell(["P": 1], of: "/a")
    host.world.played.tell(["B": true], of: "/b")
    host.world.played.tell(.gone)
    host.world.played.tell(.refused(SignalFailure(code: "bad_value", message: "x")), of: "/a")
    host.world.played.emit("S", 1, ["a": 2])
    host.world.played.emit("S")
    host.settle()
    let told = host.told
    try host.kill()
    #expect(host.told == told)
    #expect(host.told(of: "g.p") == ["g.p 1 1", "g.p 2 1", "g.p 3 null"])
    #expect(host.told(of: "g.s") == [#"g.s 1 [1,{"a":2}]"#, "g.s 2 null"])
  }

  @Test func `a property is set once the value is on disk`() throws {
    let host = try Self.host()
    host.send(5, to: "g.p")
    #expect(host.world.played.questions.isEmpty)
    host.settle()
    #expect(host.world.played.questions.map(\.text) == ["P = 5"])
    #expect(host.answers == ["g.p -"])
    host.world.played.questions[0].answer(.returned([]))
    host.world.played.tell(["P": 5], of: "/a")
    host.settle()
    try host.kill()
    #expect(host.world.played.questions.isEmpty)
    #expect(host.told(of: "g.p") == ["g.p 1 5"])
  }

  @Test(arguments: [false, true]) func `a property is set again where its answer has not come`(
    hasSnapshot: Bool
  ) throws {
    let host = try Self.host()
    for value in [5, 6] as [JSONValue] { host.send(value, to: "g.p") }
    host.settle()
    host.world.played.questions[0].answer(.returned([]))
    host.settle()
    if hasSnapshot {
      host.present.takeSnapshot()
      host.settle()
    }
    try host.kill()
    #expect(host.world.played.questions.map(\.text) == ["P = 6"])
    host.send(7, to: "g.p")
    host.turn()
    try host.killOnceWritten()
    #expect(host.world.played.questions.map(\.text) == ["P = 6", "P = 7"])
    host.world.played.questions[0].answer(.failed(SignalFailure(code: "bus", message: "no")))
    host.world.played.questions[1].answer(.returned([]))
    host.settle()
    #expect(host.refusals.map(\.value) == [6])
    try host.kill()
    #expect(host.world.played.questions.isEmpty)
  }

  @Test(arguments: [false, true]) func `a refusal is emitted again when it is replayed`(
    hasSnapshot: Bool
  ) throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals:
          p: {dbus: {name: org.a.B, path: /a, interface: org.a.I, property: P, write: true}, on_error: emit, replay: 9}
      """)
    host.send(5, to: "g.p")
    host.settle()
    if hasSnapshot {
      host.present.takeSnapshot()
      host.settle()
    }
    host.world.played.questions[0].answer(.failed(SignalFailure(code: "bus", message: "no")))
    host.settle()
    let told = [#"g.p 1 {"error":{"code":"bus","message":"no"}}"#]
    #expect(host.told(of: "g.p") == told)
    try host.kill()
    #expect(host.told(of: "g.p") == told)
    #expect(host.world.played.questions.isEmpty)
  }

  @Test func `a value is set though a reload removes the signal before it is on disk`() throws {
    let host = try Self.host()
    host.send(5, to: "g.p")
    try host.reload("g: {durable: true, signals: {x: {input: {}}}}")
    #expect(host.world.played.questions.map(\.text) == ["P = 5"])
    #expect(host.world.played.watched.isEmpty)
    host.world.played.questions[0].answer(.failed(SignalFailure(code: "bus", message: "no")))
    host.settle()
    try host.kill()
    #expect(host.refusals.isEmpty)
  }
}
