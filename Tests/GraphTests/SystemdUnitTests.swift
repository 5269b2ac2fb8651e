import GraphStories
import JSON
import Testing

@testable import GraphEngine
@testable import GraphModel

/// The state of systemd's units, with a systemd controlled by the test.
@Suite struct `A systemd unit as a source` {
  @Test(arguments: [
    ("nginx.service", "nginx_2eservice"), ("dev-sda1.device", "dev_2dsda1_2edevice"),
    ("getty@tty1.service", "getty_40tty1_2eservice"), ("1a.timer", "_31a_2etimer"),
    (#"a\x2db_c.mount"#, "a_5cx2db_5fc_2emount"), ("-.slice", "_2d_2eslice"),
  ])
  func `its object is found by its name`(name: String, path: String) {
    #expect(SystemdUnit(name: name).path == "/org/freedesktop/systemd1/unit/\(path)")
  }

  @Test(arguments: [
    ("a.service", "Service"), ("a.socket", "Socket"), ("a.timer", "Timer"), ("a.mount", "Mount"), ("a.swap", "Swap"),
    ("a.path", "Path"), ("a.automount", "Automount"), ("a.scope", "Scope"), ("a.slice", nil), ("a.target", nil),
    ("a.device", nil),
  ])
  func `its result is read from the interface of its type, where there is one`(name: String, type: String?) {
    #expect(SystemdUnit(name: name).resultInterface == type.map { "org.freedesktop.systemd1.\($0)" })
  }

  @Test func `its state, what its type calls that, how it ended, and since when`() throws {
    let graph = try TestGraph(signals: "u: {unit: a.service}\nv: {unit: {name: b.slice, bus: session}}")
    let watched = graph.played.watched
    #expect(watched.map(\.object.bus) == [.system, .session])
    #expect(
      watched[0].groups.map(\.interface) == ["org.freedesktop.systemd1.Service", "org.freedesktop.systemd1.Unit"])
    #expect(watched[1].groups.map(\.interface) == ["org.freedesktop.systemd1.Unit"])
    let path = SystemdUnit(name: "a.service").path
    graph.played.tell(
      ["ActiveState": "inactive", "SubState": "dead", "StateChangeTimestamp": 0, "Result": "success"], of: path)
    #expect(graph.said() == [#"u#1 {"state":"inactive","sub":"dead","result":"success","since":null}"#])
    graph.played.tell(
      ["ActiveState": "active", "SubState": "active", "StateChangeTimestamp": 1_700_000_000_250_000],
      of: SystemdUnit(name: "b.slice").path)
    #expect(
      graph.said() == [#"v#1 {"state":"active","sub":"active","result":null,"since":"2023-11-14T22:13:20.25Z"}"#])
    #expect(graph.signal("u").isHeld)
  }

  @Test(.inOneRuntime) func `what systemd reports in two messages is one value, and nothing is emitted twice`() throws {
    let graph = try TestGraph(signals: "u: {unit: a.service}")
    let running: [String: JSONValue] = [
      "ActiveState": "active", "SubState": "running", "StateChangeTimestamp": 1_700_000_000_000_000,
    ]
    graph.played.tell(running.merging(["Result": "success"]) { $1 })
    graph.played.tell(["Result": "exit-code"])
    graph.played.tell(["ActiveState": "failed", "SubState": "failed", "StateChangeTimestamp": 1_700_000_001_000_000])
    graph.played.tell(["Result": "exit-code"])
    graph.played.tell(["ActiveState": "failed", "SubState": "failed"])
    #expect(
      graph.said() == [
        #"u#1 {"state":"active","sub":"running","result":"success","since":"2023-11-14T22:13:20Z"}"#,
        #"u#2 {"state":"failed","sub":"failed","result":"exit-code","since":"2023-11-14T22:13:21Z"}"#,
      ])
  }

  @Test(.inOneRuntime) func `nothing has failed with success: that is a state on the way`() throws {
    let graph = try TestGraph(signals: "u: {unit: a.service}")
    let failed: [String: JSONValue] = [
      "ActiveState": "failed", "SubState": "failed", "StateChangeTimestamp": 1_700_000_000_000_000,
    ]
    let text = #"{"state":"failed","sub":"failed","result":"timeout","since":"2023-11-14T22:13:20Z"}"#
    // Its result was read before it failed.
    graph.played.tell(failed.merging(["Result": "success"]) { $1 })
    #expect(graph.said().isEmpty)
    graph.played.tell(["Result": "timeout"])
    #expect(graph.said() == ["u#1 \(text)"])
    // It is restarted.
    graph.played.tell(["Result": "success"])
    graph.played.tell(failed)
    #expect(graph.said().isEmpty)
    graph.played.tell(["ActiveState": "active", "SubState": "running"])
    #expect(graph.said().map { $0.prefix(20) } == [#"u#2 {"state":"active"#])
  }

  @Test(
    .inOneRuntime,
    arguments: [
      ("", []), (", missing: keep", []), (", missing: null", ["u#2 null", "u#3 FAILED"]),
      (", missing: fail", ["u failed gone"]),
    ])
  func `while systemd or its bus is away it stays what it was, unless something else is asked for`(
    missing: String, said: [String]
  ) throws {
    let graph = try TestGraph(signals: "u: {unit: {name: a.service\(missing)}}")
    let failed: [String: JSONValue] = [
      "ActiveState": "failed", "SubState": "failed", "StateChangeTimestamp": 1_700_000_000_000_000,
      "Result": "timeout",
    ]
    let text = #"{"state":"failed","sub":"failed","result":"timeout","since":"2023-11-14T22:13:20Z"}"#
    graph.played.tell(failed)
    #expect(graph.said() == ["u#1 \(text)"])
    graph.played.tell(.gone)
    graph.played.tell(failed)
    #expect(graph.said() == said.map { $0.replacing("FAILED", with: text) })
  }

  @Test func `a unit of measurement is not a unit of systemd`() throws {
    let text = "{from: raw, unit_of_measurement: °C, doc: x}"
    let graph = try TestGraph(signals: "raw: {input: {}}\nt: \(text)\nu: {unit: a.service, doc: y}")
    #expect(graph.signal("t").declaration.traits.unit == "°C")
    #expect(graph.signal("u").declaration.traits.unit == nil)
    let changed = try TestGraph.configuration(
      signals: "raw: {input: {}}\nt: {from: raw, unit_of_measurement: K, doc: x}\nu: {unit: b.service, doc: y}")
    let verdict = graph.reload(changed)
    #expect(verdict.changed == ["g.u"])
  }

  @Test(arguments: [
    ("nginx", "nginx.service"), ("nginx.servce", "nginx.service"), ("a.sockets", "a.socket"),
    ("my.app", "my.app.service"), ("a@.service", "a@INSTANCE.service"),
  ])
  func `a name that is not whole comes with one that is`(name: String, suggestion: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try TestGraph(signals: "u: {unit: \(name)}") }
    guard case .invalid(let diagnostics)? = error else { return }
    #expect(diagnostics.list.map(\.suggestion) == [suggestion])
  }

  @Test(arguments: ["'a b.service'", "a/b.service", "''", ".service", "[a]"])
  func `what cannot be a unit is refused`(name: String) {
    #expect(throws: ConfigurationError.self) { try TestGraph(signals: "u: {unit: \(name)}") }
  }
}
