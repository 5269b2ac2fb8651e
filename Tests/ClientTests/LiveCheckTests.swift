import BusSupport
import Linux
import Testing

struct LiveCheckTests {
  /// Prepares a property of each kind.
  private static func prepare(_ service: TestService) {
    service.properties = [
      "Level": .init(.int32, .integer(1)), "Silent": .init(.int32, .integer(1), announcement: "false"),
      "Constant": .init(.string, .string("x"), announcement: "const", access: "read"),
      "Secret": .init(.string, .string("x"), access: "write"), "Raw": .init(.array(.byte), .bytes([65])),
    ]
    service.members = """
      <method name="Start"><arg type="s"/><arg name="force" type="b" direction="in"/><arg type="u" direction="out"/>
      </method><method name="Open"><arg type="h" direction="out"/></method>
      <signal name="Pressed"><arg name="key" type="s"/><arg type="u"/></signal>
      """
  }

  /// A configuration with one signal or action on the bus, whose parameters follow its name, path and interface.
  private static func file(
    _ bus: PrivateBus, _ parameters: String, name: String = ServedBus.name, path: String = TestService.path,
    interface: String = TestService.interface
  ) throws -> TemporaryFile {
    let thing = """
      {dbus: {bus: "\(bus.text)",
      name: \(name),
      path: \(path),
      interface: \(interface),
      \(parameters)}}
      """
    let section = parameters.contains("method:") ? "actions" : "signals"
    return try TemporaryFile("signalbox: 1\ngraphs: {g: {\(section): {a: \(thing)}}}\n")
  }

  /// Returns the diagnostics with their places, without the file's name and the excerpts.
  private static func diagnostics(_ result: Client.Result, _ file: borrowing TemporaryFile) -> [String] {
    let path = file.path
    return result.errors.split(separator: "\n").filter { $0.hasPrefix("\(path):") }
      .map { String($0.dropFirst(path.utf8.count + 1)) }
  }

  @Test(arguments: [
    ("property: Level", []), ("property: Silent, every: 1s", []), ("property: Raw, bytes: text", []),
    ("properties: [Level, Raw]", []), ("property: Level, write: true, signature: i", []),
    ("signal: Pressed, arguments: {0: x}", []), ("method: Start, signature: sb", []),
    ("property: Levle", ["6:11: error: org.example.Thing has no property Levle; did you mean \"Level\"?"]),
    ("property: Pressed", ["6:11: error: org.example.Thing has no property Pressed, but it has a signal of that name"]),
    ("properties: [Level, Leve]", ["6:21: error: org.example.Thing has no property Leve; did you mean \"Level\"?"]),
    (
      "property: Silent",
      ["6:11: warning: Silent does not announce its changes: set \"every\" to read it again"]
    ),
    ("property: Constant", ["6:11: warning: Constant is constant while its service runs: it is read once"]),
    ("property: Secret", ["6:11: error: Secret is write-only and never announced"]),
    ("property: Secret, write: true", ["6:11: note: Secret is write-only and never announced"]),
    ("property: Constant, write: true, every: 1s", ["6:11: error: Constant is read-only"]),
    (
      "property: Level, write: true, signature: u",
      ["6:42: error: the type of Level is i, not u; did you mean \"i\"?"]
    ),
    ("property: Level, bytes: text", ["6:25: error: Level has no byte array (ay) to read as text, only i"]),
    ("signal: Presed", ["6:9: error: org.example.Thing has no signal Presed; did you mean \"Pressed\"?"]),
    (
      "signal: Pressed, arguments: {1: x, 2: y}",
      [
        "6:30: error: argument 1 of Pressed is of type u, not a string (s)",
        "6:36: error: Pressed has 2 arguments: there is no argument 2",
      ]
    ),
    ("method: Strat", ["6:9: error: org.example.Thing has no method Strat; did you mean \"Start\"?"]),
    ("method: Start", ["6:9: error: Start takes arguments: give their signature, sb"]),
    ("method: Start, signature: s", ["6:27: error: the signature of Start is sb, not s; did you mean \"sb\"?"]),
    (
      "method: Open, signature: s, with: '[1]'",
      [
        "6:9: warning: Open returns a file descriptor (h): calls fail on return",
        "6:26: error: Open takes no arguments: remove the signature",
      ]
    ),
  ])
  func `members are compared with what the object declares`(parameters: String, expected: [String]) throws {
    let served = try ServedBus(Self.prepare)
    let file = try Self.file(served.bus, parameters)
    let result = try Client.run("check", "--live", file.path)
    #expect(Self.diagnostics(result, file) == expected)
    #expect(result.status == (expected.contains { $0.contains("error") } ? 78 : 0))
    #expect(try Client.run("check", file.path).status == 0)
  }

  @Test(
    arguments: [
      (
        name: "org.example.Servce", path: nil, interface: nil,
        line: "3:7: warning: org.example.Servce has no owner on the bus at BUS and cannot be activated; "
          + "did you mean \"org.example.Service\"?"
      ),
      (
        name: "org.example.Sleeping", path: nil, interface: nil,
        line: "3:7: note: org.example.Sleeping is not running but can be activated: its objects were not checked"
      ),
      (
        name: nil, path: "/org/exmple/Thing", interface: nil,
        line: "4:7: warning: org.example.Service has no object /org/exmple/Thing at present; "
          + "did you mean \"/org/example/Thing\"?"
      ),
      (
        name: nil, path: nil, interface: "org.example.Thin",
        line: "5:12: error: /org/example/Thing of org.example.Service has no interface org.example.Thin; "
          + "did you mean \"org.example.Thing\"?"
      ),
    ] as [(name: String?, path: String?, interface: String?, line: String)])
  func `names, paths and interfaces are looked for`(
    name: String?, path: String?, interface: String?, line: String
  ) throws {
    let served = try ServedBus(activated: ["org.example.Sleeping": "/bin/false"], Self.prepare)
    let file = try Self.file(
      served.bus, "property: Level", name: name ?? ServedBus.name, path: path ?? TestService.path,
      interface: interface ?? TestService.interface)
    let result = try Client.run("check", "--live", file.path)
    #expect(Self.diagnostics(result, file) == [line.replacing("BUS", with: served.bus.text)])
    #expect(result.status == (line.contains("error") ? 78 : 0))
  }

  @Test func `connections are tried by the bridge`() throws {
    let file = try TemporaryFile(
      """
      signalbox: 1
      server:
        connections:
          api: {http: "http://127.0.0.1:1"}
          gone: {mqtt: "mqtt://127.0.0.1:1"}
          safe: {nats: "nats://127.0.0.1:1", credentials: "${cred:x}"}
          plant: {adapter: modbus}
      """)
    let result = try Client.run("check", "--live", file.path)
    #expect(result.status == 69)
    #expect(result.output.contains("api (http): http://127.0.0.1:1 away: "))
    #expect(result.output.contains("gone (mqtt): mqtt://127.0.0.1:1 away: "))
    #expect(result.errors.contains("not tried: safe (nats): only the service has a part of its settings"))
    #expect(result.errors.contains("not tried: plant (modbus): its adapter is not part of signalbox"))
  }

  @Test func `what may not be looked at is a warning`() throws {
    let served = try ServedBus { service in
      Self.prepare(service)
      service.meddle = { [unowned service] call in
        guard call.member == "Get" else { return false }
        try service.refuse(call, "AccessDenied", "not you")
        return true
      }
    }
    let file = try Self.file(served.bus, "property: Level")
    let result = try Client.run("check", "--live", file.path)
    #expect(
      Self.diagnostics(result, file) == [
        "6:11: warning: not permitted to inspect Level of org.example.Service: "
          + "not you (org.freedesktop.DBus.Error.AccessDenied)"
      ])
    #expect(result.status == 0 && result.output.hasSuffix("no errors\n"))
  }

  @Test func `a service that does not answer delays nothing for long`() throws {
    let served = try ServedBus { $0.meddle = { _ in true } }
    let file = try TemporaryFile(
      "signalbox: 1\ngraphs: {g: {signals: {\n"
        + (1...20).map { number in
          "s\(number): {dbus: {bus: \"\(served.bus.text)\", name: \(ServedBus.name), path: /a/b\(number), interface: a.b, "
            + "property: P}}"
        }.joined(separator: ",\n") + "}}}\n")
    let begin = MonotonicInstant.now()
    let result = try Client.run("check", "--live", file.path)
    #expect(Self.diagnostics(result, file).count { $0.contains("no answer from") } == 20)
    #expect(result.status == 0 && .now() - begin < .seconds(50))
  }

  @Test func `a bus that does not answer is reported, and ends the check`() throws {
    let folder = try UnitFolder()
    let silent = try UnixListener(path: folder("bus"), mode: 0o600)
    defer { silent.unlink() }
    let text = "signalbox: 1\ngraphs: {g: {signals: {u: {unit: {name: a.service, bus: \"unix:path=PATH\"}}}}}\n"
    let stalled = try TemporaryFile(text.replacing("PATH", with: folder("bus")))
    let result = try Client.run("check", "--live", stalled.path)
    #expect(result.errors == "signalbox: no answer from the bus at unix:path=\(folder("bus")) within 5 s\n")
    #expect(result.status == 69 && result.output.isEmpty)
    let missing = try TemporaryFile(text.replacing("PATH", with: folder("nowhere")))
    let away = try Client.run("check", "--live", missing.path)
    #expect(away.status == 69 && away.errors.contains("No such file or directory"))
  }

  @Test func `editors have it as JSON, and a file that names no bus needs none`() throws {
    let served = try ServedBus(Self.prepare)
    let file = try Self.file(served.bus, "property: Levle")
    let result = try Client.run("check", "--live", "--format", "json", file.path)
    #expect(result.status == 78 && result.output.contains(#""line":6,"column":11,"length":5,"#))
    #expect(result.output.contains(#""suggestion":"Level""#))
    let plain = try TemporaryFile("signalbox: 1\ngraphs: {g: {signals: {a: {input: {}}}}}\n")
    let nowhere = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/x"]
    let without = try Client.run("check", "--live", plain.path, environment: nowhere)
    #expect(without.status == 0 && without.output.hasSuffix("1 graph, 1 signal, no errors\n"))
    #expect(try Client.run("check", "--live", "--expand", file.path).status == 64)
  }
}
