import Testing

@testable import GraphCatalogue
@testable import GraphModel

/// Errors in declarations about buses.
@Suite struct `Errors about D-Bus` {
  private static func messages(_ source: String) -> [String] {
    do {
      _ = try TestGraph.configuration(signals: "x: {\(source)}")
      return []
    } catch ConfigurationError.invalid(let diagnostics) {
      return diagnostics.list.map { $0.message + ($0.suggestion.map { " → \($0)" } ?? "") }
    } catch {
      return ["\(error)"]
    }
  }

  /// Returns the errors of parameters beside the object.
  private static func messages(with parameters: String) -> [String] {
    messages("dbus: {name: org.a.B, path: /a, interface: org.a.I, \(parameters)}")
  }

  @Test(
    arguments: [
      ("property: P", nil), ("property: P, write: true, missing: null", nil), ("properties: [P], missing: keep", nil),
      ("signal: S, bus: 'unix:path=/run/b,guid=0;tcp:host=h,port=1'", nil),
      ("bus: system", "dbus: give exactly one of property, properties and signal"),
      ("property: P, signal: S", "dbus: give exactly one of property, properties and signal"),
      ("property: P, properties: [Q]", "dbus: give exactly one of property, properties and signal"),
      ("signal: S, every: 1s", "dbus: every requires properties: a signal is not polled"),
      ("signal: S, write: true", "dbus: write requires exactly one property"),
      ("properties: [P, Q], write: true", "dbus: write requires exactly one property"),
      (
        "signal: S, missing: keep",
        "dbus: missing requires properties: a signal has no value without its sender"
      ),
      (
        "signal: S, activate: true",
        "dbus: activate requires properties: only a running service emits a signal"
      ),
      ("property: P, arguments: {0: a}", "dbus: arguments requires signal"),
      ("property: P, every: 0s", "must be at least 1ms"),
      ("property: P, write: true, signature: u", nil),
      ("property: P, signature: u", "dbus: signature requires write"),
      ("signal: S, signature: u", "dbus: signature requires a property"),
      (
        "property: P, write: true, signature: uu",
        "dbus: signature must be a single type, such as u or a{sv}"
      ),
      ("signal: S, arguments: {64: a}", "\"64\" is not an argument number from 0 to 63"),
      ("signal: S, arguments: {a: b}", "\"a\" is not an argument number from 0 to 63"),
      ("properties: []", "expected a list of member names, found a list"),
      ("properties: [P, P]", "duplicate \"P\""),
      ("proprety: P", "unknown parameter of dbus \"proprety\" → property"),
      ("property: P, missing: kepe", "expected one of null, keep, fail, found \"kepe\" → keep"),
      (
        "property: P, bus: sesion",
        "expected system, session, or an address such as unix:path=/run/other/bus, found \"sesion\" → session"
      ),
      ("property: P-Q", "\"P-Q\" is not the name of a member: \(BusSyntax.member.rule)"),
    ] as [(String, String?)])
  func `parameters that do not go together are reported`(parameters: String, message: String?) {
    #expect(Self.messages(with: parameters) == (message.map { [$0] } ?? []))
  }

  @Test func `names that cannot be are reported with the rule`() {
    #expect(
      Self.messages("dbus: {name: UPower, path: org/a, interface: org.1, property: P}") == [
        "\"UPower\" is not a bus name: \(BusSyntax.busName.rule)",
        "\"org/a\" is not an object path: \(BusSyntax.objectPath.rule)",
        "\"org.1\" is not the name of an interface: \(BusSyntax.interface.rule)",
      ])
  }

  @Test func `what only the daemon knows is not looked at`() throws {
    var world = ConfigurationWorld(files: [
      "test.yaml": """
      signalbox: 1
      graphs:
        g:
          signals:
            x: {dbus: {name: "${cred:n}", path: "${cred:n}", interface: org.a.I, property: P, bus: "${cred:n}"}}
            u: {unit: "${cred:n}"}
      """
    ]).inputs
    world.viewpoint = .elsewhere
    _ = try Configuration.load(.alone("test.yaml"), inputs: world)
  }

  @Test func `a signal that is written can be neither lazy nor declared on the spot`() {
    let written = "dbus: {name: org.a.B, path: /a, interface: org.a.I, property: P, write: true}"
    #expect(Self.messages("\(written), lazy: true").count == 1)
    #expect(Self.messages("merge: [{\(written)}]").count == 1)
  }

  @Test func `what a graph needs of buses is known`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            p: {dbus: {name: org.a.B, path: /a, interface: org.a.I, property: P}}
            u: {unit: {name: a.service, bus: session}}
          actions:
            m: {dbus: {bus: session, name: org.a.B, path: /a, interface: org.a.I, method: M}}
      """)
    #expect(configuration.outsideNeeds.map(\.need) == [.bus(.system), .bus(.session)])
    #expect(configuration.outsideNeeds.map(\.users) == [["g.p"], ["g.u", "g.m"]])
  }
}
