import JSON
import Linux
import TestSupport
import Testing

@testable import Bridge

@Suite struct `An MQTT connection that receives and publishes` {
  private let daemon: ScriptedDaemon
  private let broker: ScriptedBroker

  init() throws {
    daemon = try ScriptedDaemon()
    broker = try ScriptedBroker()
  }

  private func source(_ topic: String) -> JSONValue {
    [
      "signal": .string("g.\(topic)"), "role": "source", "kind": "mqtt", "connection": "home",
      "settings": ["topic": .string(topic)],
    ]
  }

  private func connection(_ more: JSONObject = [:]) -> JSONValue {
    var settings: JSONObject = ["host": "127.0.0.1", "port": .number(Double(broker.port)), "client_id": "box"]
    for member in more.members { settings[member.key] = member.value }
    return ["connection": "home", "kind": "mqtt", "settings": .object(settings)]
  }

  private func attach(_ connection: JSONValue? = nil) throws {
    try daemon.attach(
      [connection ?? self.connection()],
      [source("door"), ["signal": "g.out", "role": "sink", "kind": "mqtt", "connection": "home"]])
  }

  private func expect(_ packets: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    try daemon.run(until: { broker.packets.withLock { $0.count } >= packets.count }, "\(packets)")
    // What comes too early would be here by then.
    try daemon.run(for: .milliseconds(100))
    #expect(broker.packets.withLock { $0 } == packets, sourceLocation: sourceLocation)
  }

  private func publish() throws -> Int {
    try daemon.give(["topic": "door", "payload": "open", "qos": 1], connection: "home")
  }

  /// The broker drops messages of a topic that no client has subscribed to.
  @Test func `publishes once the broker has its subscriptions`() throws {
    defer { broker.close() }
    try attach()
    var packets = ["box CONNECT", "box SUBSCRIBE"]
    try expect(packets)
    broker.answerSubscriptions()
    packets += ["box SUBACK", "box-out CONNECT"]
    try expect(packets)

    broker.answerSubscriptions(false)
    try daemon.write(["event": "declared", "added": [source("window")]])
    let first = try publish()
    let second = try publish()
    packets += ["box SUBSCRIBE"]
    try expect(packets)
    broker.answerSubscriptions()
    packets += ["box SUBACK", "box-out PUBLISH", "box-out PUBLISH"]
    try expect(packets)
    for task in [first, second] { #expect(try daemon.acknowledgement(of: task)["error"] == nil) }
  }

  /// A broker keeps what arrives for a durable graph, and gives it once.
  @Test func `does not connect while it is withheld, and nothing fails meanwhile`() throws {
    defer { broker.close() }
    broker.answerSubscriptions()
    try attach(connection(["withheld": true]))
    try expect([])
    #expect(daemon.all("send") == [])
    try daemon.write(["event": "declared", "connections": [connection()]])
    try expect(["box CONNECT", "box SUBSCRIBE", "box SUBACK", "box-out CONNECT"])
    try daemon.write(["event": "declared", "connections": [connection(["withheld": true])]])
    try expect(["box CONNECT", "box SUBSCRIBE", "box SUBACK", "box-out CONNECT"])
  }

  @Test func `leaves no session behind under a former name, and none of its entities where it is removed`() throws {
    defer { broker.close() }
    broker.answerSubscriptions()
    try attach()
    var packets = ["box CONNECT", "box SUBSCRIBE", "box SUBACK", "box-out CONNECT"]
    try expect(packets)
    try daemon.write(["event": "declared", "connections": [connection(["client_id": "attic"])]])
    packets += ["box DISCONNECT"]
    try daemon.run(until: { broker.packets.withLock { $0.contains("attic-out CONNECT") } }, "another client")
    #expect(broker.packets.withLock { $0.contains("box DISCONNECT") })
    try daemon.write(["event": "declared", "connections": []])
    try daemon.run(until: { broker.packets.withLock { $0.contains("attic DISCONNECT") } }, "a farewell")
  }

  @Test(arguments: [false, true])
  func `gives back what waits for a subscription when the broker goes away or gets other settings`(hasOthers: Bool)
    throws
  {
    defer { broker.close() }
    broker.answerSubscriptions()
    try attach()
    try expect(["box CONNECT", "box SUBSCRIBE", "box SUBACK", "box-out CONNECT"])
    broker.answerSubscriptions(false)
    try daemon.write(["event": "declared", "added": [source("window")]])
    let task = try publish()
    try daemon.run(until: { broker.packets.withLock { $0.count } == 5 }, "a subscription")
    if hasOthers {
      try daemon.write(["event": "declared", "connections": [connection(["limit": 1_001])]])
    } else {
      broker.hangUp()
    }
    let answer = try daemon.acknowledgement(of: task)
    #expect(answer.nested("error")?.string("code") == "connect")
    #expect(answer.flag("retry"))
  }

  /// Nothing waits for it any more, so nothing of it is kept.
  @Test func `a message that was cancelled on its way counts for no other task`() throws {
    defer { broker.close() }
    broker.answerPublications(false)
    try daemon.attach([connection()])
    _ = try daemon.next("report") { $0.string("state") == "connected" }
    let first = try daemon.give(["topic": "door", "payload": "open", "qos": 1], connection: "home", key: "key")
    try daemon.run(until: { broker.packets.withLock { $0 } == ["box CONNECT", "box PUBLISH"] }, "a message")
    try daemon.write(["event": "cancel", "task": .number(Double(first))])
    broker.answerPublications()
    let other = try daemon.give(["topic": "door", "payload": "open", "qos": 1], connection: "home")
    #expect(try daemon.acknowledgement(of: other)["error"] == nil)
    let again = try daemon.give(["topic": "door", "payload": "open", "qos": 1], connection: "home", key: "key")
    #expect(try daemon.acknowledgement(of: again)["error"] == nil)
    #expect(broker.packets.withLock { $0.count { $0 == "box PUBLISH" } } == 3)
  }
}
