import GraphEngine
import GraphModel
import JSON
import Testing

@testable import Persistence

/// Action calls of durable graphs: after the commit, at least once, and repeated with the same id.
@Suite struct `Calls of durable graphs` {
  private static let home = """
    home:
      durable: true
      signals:
        alarm: {input: {endable: true}}
        told: {from: alarm, pipe: [{call: notify}], replay: 100}
      actions: {notify: {exec: [notify]}}
    """

  @Test func `a program runs once its cause is on disk`() throws {
    let host = try DurableHost(Self.home)
    host.send(1, to: "home.alarm")
    #expect(host.world.running.isEmpty)
    host.settle()
    #expect(host.world.running == ["notify"])
    host.world.say("sent\n")
    #expect(host.told(of: "home.told").isEmpty)
    host.settle()
    #expect(host.told(of: "home.told") == [#"home.told 1 "sent""#])
    #expect(host.told(of: "home.notify.values") == [#"home.notify.values 1 "sent""#])
  }

  @Test func `the action's signals report the calls, which run in another runtime`() throws {
    let host = try DurableHost(Self.home)
    host.send(1, to: "home.alarm")
    host.settle()
    #expect(host.told(of: "home.notify.executing").last == "home.notify.executing 2 true")
    let action = try #require(host.main.actions["home.notify"])
    #expect(throws: CallRefusal.busy) { try action.call(nil) { _ in } }
    host.world.exit(3)
    host.settle()
    #expect(
      host.told(of: "home.notify.errors") == [
        #"home.notify.errors 1 {"code":"failed","message":"notify exited with status 3","status":3}"#
      ])
    #expect(host.told(of: "home.notify.executing").last == "home.notify.executing 3 false")
    #expect(host.main.signal(named: "home.notify.values")?.losses.programs.failures == 1)
  }

  @Test func `a call that was under way is made again as the same, and one that had ended is not`() throws {
    let host = try DurableHost(Self.home)
    host.send(1, to: "home.alarm")
    host.send(2, to: "home.alarm")
    host.settle()
    host.world.exit(0)
    host.settle()
    let before = host.world.given
    #expect(before.count == 1 && before[0].hasPrefix("2\n SIGNALBOX_SIGNAL=home.told SIGNALBOX_SEQ=2 "))
    try host.kill()
    #expect(host.world.given == before)
    host.world.exit(0)
    host.settle()
    try host.kill()
    #expect(host.world.running.isEmpty)
    #expect(host.told(of: "home.notify.executing").last?.hasSuffix("false") == true)
  }

  @Test func `values that wait for their call do so in another life`() throws {
    let host = try DurableHost(Self.home)
    for value in [1, 2, 3] as [JSONValue] { host.send(value, to: "home.alarm") }
    try host.killOnceWritten()
    var called: [String] = []
    while let given = host.world.given.first {
      called.append(String(given.prefix(1)))
      host.world.exit(0)
      host.settle()
    }
    #expect(called == ["1", "2", "3"])
  }

  @Test func `a call that is given up before its program has run runs none`() throws {
    let host = try DurableHost(Self.home)
    host.send(1, to: "home.alarm")
    host.end("home.alarm", with: .failed(SignalFailure(code: "off", message: "")))
    host.settle()
    #expect(host.world.running.isEmpty)
    #expect(host.told(of: "home.told") == ["home.told failed"])
    #expect(host.told(of: "home.notify.executing").last?.hasSuffix("false") == true)
    try host.kill()
    #expect(host.world.running.isEmpty)
  }

  @Test func `a condition of another graph takes effect`() throws {
    let host = try DurableHost(
      """
      home:
        durable: true
        signals:
          alarm: {input: {}}
          told: {from: alarm, pipe: [{call: notify}]}
        actions: {notify: {exec: [notify], enabled_if: other.on}}
      other:
        signals: {on: {property: {initial: false}}}
      """)
    host.send(1, to: "home.alarm")
    host.settle()
    #expect(host.world.running.isEmpty)
    host.send(true, to: "other.on")
    host.settle()
    host.send(2, to: "home.alarm")
    host.settle()
    #expect(host.world.running == ["notify"])
    #expect(host.main.signal(named: "home.told")?.losses.dropped == 1)
  }
}
