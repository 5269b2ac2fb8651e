import JSON
import Linux
import TestSupport
import Testing

@testable import Bridge

@Suite struct `Connections to NATS servers` {
  private let daemon: ScriptedDaemon

  init() throws { daemon = try ScriptedDaemon() }

  /// The end of a connection is reported by a thread of the library, often before its beginning.
  @Test func `connections that a server ends at once are made again`() throws {
    let count = 32
    let server = try HastyNATSServer(ending: count)
    defer { server.close() }
    try daemon.attach(
      (1...count).map { number in
        [
          "connection": .string("fleet\(number)"), "kind": "nats",
          "settings": ["servers": [.string("nats://127.0.0.1:\(server.port)")]],
        ]
      })
    try daemon.run(
      until: {
        daemon.answerPings()
        return server.connections.withLock { $0 } == 2 * count
      }, "\(2 * count) connections")
  }

  private func connection(_ port: UInt16) -> JSONValue {
    [
      "connection": "fleet", "kind": "nats", "settings": ["servers": [.string("nats://127.0.0.1:\(port)")]],
    ]
  }

  /// A daemon that was restarted counts its tasks from the first number again.
  @Test func `an answer to a message of a former daemon is not one to that of the next`() throws {
    let server = try ScriptedNATSServer()
    defer { server.close() }
    try daemon.attach([connection(server.port)])
    _ = try daemon.next("report") { $0.string("state") == "connected" }
    try daemon.give(["subject": "a"], connection: "fleet", number: 1, key: "first")
    try daemon.run(until: { server.published.withLock { $0 } == ["a"] }, "a message")
    daemon.hangUp()
    try daemon.attach([connection(server.port)])
    _ = try daemon.next("report") { $0.string("state") == "connected" }
    try daemon.give(["subject": "b"], connection: "fleet", number: 1, key: "second")
    server.answerPings(1)
    try daemon.run(until: { server.published.withLock { $0 } == ["a", "b"] }, "another message")
    try daemon.run(for: .milliseconds(100))
    #expect(daemon.all("acknowledge") == [])
    server.answerPings(1)
    #expect(try daemon.acknowledgement(of: 1).string("result") == "done")
  }

  @Test(arguments: [false, true])
  func `a message that a daemon gives again is not published twice`(isDone: Bool) throws {
    let server = try ScriptedNATSServer()
    defer { server.close() }
    try daemon.attach([connection(server.port)])
    _ = try daemon.next("report") { $0.string("state") == "connected" }
    try daemon.give(["subject": "a"], connection: "fleet", number: 5, key: "one")
    try daemon.run(until: { server.published.withLock { $0 } == ["a"] }, "a message")
    daemon.hangUp()
    try daemon.run(until: { daemon.messages.contains { $0.hasPrefix("without a daemon") } }, "a bridge on its own")
    if isDone {
      server.answerPings(1)
      try daemon.run(for: .milliseconds(100))
    }
    try daemon.attach([connection(server.port)])
    _ = try daemon.next("report") { $0.string("state") == "connected" }
    try daemon.give(["subject": "a"], connection: "fleet", number: 1, key: "one")
    if !isDone { server.answerPings(1) }
    #expect(try daemon.acknowledgement(of: 1).string("result") == "done")
    #expect(server.published.withLock { $0 } == ["a"])
  }

  /// Its stream may be made at any time, and a message may be long in coming.
  @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
  func `a source that starts again and finds its stream has not failed any more`() throws {
    let server = try NATSServer()
    let source: JSONValue = [
      "signal": "g.orders", "role": "source", "kind": "nats", "connection": "fleet",
      "settings": ["stream": "ORDERS", "consumer": "graph"],
    ]
    try daemon.attach(
      [
        [
          "connection": "fleet", "kind": "nats",
          "settings": ["servers": [.string("nats://127.0.0.1:\(server.port)")]],
        ]
      ], [source])
    let failure = try daemon.next("send") { $0.string("event") == "failed" }
    #expect(failure.nested("error")?.string("message") == "there is no stream ORDERS")
    let creation = try daemon.give(
      [
        "subject": "$JS.API.STREAM.CREATE.ORDERS",
        "payload": #"{"name":"ORDERS","subjects":["orders"],"storage":"memory"}"#,
      ], connection: "fleet")
    _ = try daemon.acknowledgement(of: creation)
    try daemon.write(["event": "declared", "removed": ["g.orders"]])
    try daemon.write(["event": "declared", "added": [source]])
    let report = try daemon.next("report") { $0.string("signal") == "g.orders" }
    #expect(report.string("state") == "connected")
  }
}
