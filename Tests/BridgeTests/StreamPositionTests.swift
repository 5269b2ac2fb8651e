import JSON
import Linux
import TestSupport
import Testing

@testable import Bridge

/// A source that reads a stream of NATS, of real servers and of one that fails as told.
@Suite struct `Positions in a stream of NATS` {
  private let daemon: ScriptedDaemon

  init() throws { daemon = try ScriptedDaemon() }

  private func connection(_ port: UInt16, _ more: JSONObject = [:]) -> JSONValue {
    var settings: JSONObject = ["servers": [.string("nats://127.0.0.1:\(port)")]]
    for member in more.members { settings[member.key] = member.value }
    return ["connection": "fleet", "kind": "nats", "settings": .object(settings)]
  }

  private func source(position: String? = nil) -> JSONValue {
    var source: JSONObject = [
      "signal": "g.orders", "role": "source", "kind": "nats", "connection": "fleet",
      "settings": ["stream": "ORDERS", "consumer": "graph"],
    ]
    if let position { source["position"] = .string(position) }
    return .object(source)
  }

  private func publish(_ subject: String, _ payload: String) throws {
    let task = try daemon.give(["subject": .string(subject), "payload": .string(payload)], connection: "fleet")
    #expect(try daemon.acknowledgement(of: task).string("result") == "done")
  }

  /// Makes the stream, with messages.
  private func make(_ payloads: [String]) throws {
    try publish(
      "$JS.API.STREAM.CREATE.ORDERS", #"{"name":"ORDERS","subjects":["orders"],"storage":"memory"}"#)
    for payload in payloads { try publish("orders", payload) }
  }

  private func remove() throws { try publish("$JS.API.STREAM.DELETE.ORDERS", "") }

  /// Attaches the bridge to a server whose stream has some messages, and has it read them from a position on.
  private func read(_ server: NATSServer, _ payloads: [String], from position: String? = nil) throws {
    try daemon.attach([connection(server.port)])
    _ = try daemon.next("report") { $0.string("connection") == "fleet" && $0.string("state") == "connected" }
    try make(payloads)
    try daemon.write(["event": "declared", "added": [source(position: position)]])
  }

  private func payloads(_ count: Int) throws -> [String?] {
    try (0..<count).map { _ in try daemon.value().string("payload") }
  }

  private func expectNothing() throws {
    try daemon.run(for: .milliseconds(300))
    #expect(daemon.all("send") == [])
  }

  @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
  func `a stream that is made again while it is read is read from its first message`() throws {
    let server = try NATSServer()
    try read(server, ["1", "2", "3"])
    let first = try daemon.value()
    #expect(try payloads(2) == ["2", "3"])
    try remove()
    try make(["4", "5"])
    // Its reader may have found no stream.
    let again = try daemon.next("send") { $0["event"] == nil || $0.string("event") == "failed" }
    if again["event"] != nil {
      try daemon.write(["event": "declared", "removed": ["g.orders"]])
      try daemon.write(["event": "declared", "added": [source(position: first.string("position"))]])
    } else {
      try daemon.answer(again)
    }
    let value = again["event"] == nil ? again : try daemon.value()
    #expect(value.string("payload") == "4")
    #expect(value.string("message_id") != first.string("message_id"))
    #expect(value.string("position") != first.string("position"))
    #expect(try payloads(1) == ["5"])
    #expect(daemon.messages.contains { $0.contains("the stream ORDERS was made again") })
  }

  @Test(
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed"),
    arguments: ["3", "3@1000", "2@1000"])
  func `a position behind the end of a stream, or of another one, is none in it`(position: String) throws {
    let server = try NATSServer()
    try read(server, ["1", "2"], from: position)
    #expect(try payloads(2) == ["1", "2"])
    #expect(daemon.messages.count { $0.contains("the stream ORDERS was made again") } == 1)
    try expectNothing()
  }

  @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
  func `a position of an earlier version is one of the present stream`() throws {
    let server = try NATSServer()
    try read(server, ["1", "2", "3"], from: "2")
    let value = try daemon.value()
    #expect(value.string("payload") == "3")
    #expect(value.string("position")?.hasPrefix("3@") == true)
    try daemon.write(["event": "declared", "removed": ["g.orders"]])
    try daemon.write(["event": "declared", "added": [source(position: value.string("position"))]])
    try publish("orders", "4")
    #expect(try payloads(1) == ["4"])
    #expect(!daemon.messages.contains { $0.contains("made again") })
  }

  @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
  func `a connection with other settings goes on behind what the daemon has`() throws {
    let server = try NATSServer()
    try read(server, ["1", "2", "3"], from: "1")
    #expect(try payloads(2) == ["2", "3"])
    try daemon.write(["event": "declared", "connections": [connection(server.port, ["limit": 1_001])]])
    _ = try daemon.next("report") { $0.string("connection") == "fleet" && $0.string("state") == "connected" }
    try publish("orders", "4")
    #expect(try payloads(1) == ["4"])
    try expectNothing()
  }

  /// Those behind it could be taken where the first one is refused once more.
  @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
  func `messages that the daemon refuses for now are sent again one first`() throws {
    let server = try NATSServer()
    try read(server, ["1", "2", "3"])
    for _ in 1...3 { try daemon.answer(daemon.value(answering: false), refusedBy: "storage") }
    let first = try daemon.value(answering: false)
    #expect(first.string("payload") == "1")
    try expectNothing()
    try daemon.answer(first, refusedBy: "storage")
    let again = try daemon.value(answering: false)
    #expect(again.string("payload") == "1")
    try publish("orders", "4")
    try expectNothing()
    try daemon.answer(again)
    #expect(try payloads(3) == ["2", "3", "4"])
  }

  @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
  func `a connection goes on behind the last message before which none is missing`() throws {
    let server = try NATSServer()
    try read(server, ["1", "2", "3"])
    let values = try (1...3).map { _ in try daemon.value(answering: false) }
    try daemon.answer(values[0])
    try daemon.answer(values[1], refusedBy: "storage")
    try daemon.answer(values[2])
    try daemon.write(["event": "declared", "connections": [connection(server.port, ["limit": 1_001])]])
    #expect(try payloads(2) == ["2", "3"])
  }

  /// The consumer is gone then, and with it the position of a graph that keeps none.
  @Test func `a consumer that could not be made again is made where it was`() throws {
    let creations = Monitor<[String]>([])
    let server = try ScriptedNATSServer { subject, payload in
      let created = "2026-01-01T00:00:00Z"
      switch subject {
      case "$JS.API.STREAM.INFO.ORDERS":
        return #"{"config":{"name":"ORDERS","subjects":["orders"]},"created":"\#(created)","state":{"last_seq":9}}"#
      case "$JS.API.CONSUMER.INFO.ORDERS.graph":
        if creations.withLock({ !$0.isEmpty }) { return #"{"error":{"code":404,"err_code":10014,"description":"no"}}"# }
        return
          #"{"stream_name":"ORDERS","name":"graph","created":"\#(created)","config":{"durable_name":"graph"},"delivered":{"consumer_seq":7,"stream_seq":7},"ack_floor":{"consumer_seq":5,"stream_seq":5}}"#
      case "$JS.API.CONSUMER.DELETE.ORDERS.graph": return #"{"success":true}"#
      case let other where other.contains("CONSUMER") && other.contains("CREATE"):
        creations.withLock { $0.append(payload) }
        return #"{"error":{"code":503,"err_code":10008,"description":"no leader"}}"#
      default: return nil
      }
    }
    defer { server.close() }
    try daemon.attach([connection(server.port)], [source()])
    try daemon.run(until: { creations.withLock { $0.count } >= 3 }, "three attempts")
    for creation in creations.withLock({ $0 }) { #expect(creation.contains("\"opt_start_seq\":6")) }
  }
}
