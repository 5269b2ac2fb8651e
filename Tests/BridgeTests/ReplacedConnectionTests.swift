import JSON
import Linux
import TestSupport
import Testing

@testable import Bridge

/// What a connection has not carried out must not be lost with its settings: the daemon gives it again.
@Suite struct `Connections whose settings change` {
  private let daemon: ScriptedDaemon

  init() throws { daemon = try ScriptedDaemon() }

  enum Change: CaseIterable {
    case limit, password, withheld, unusable

    func apply(to settings: inout JSONObject) {
      switch self {
      case .limit: settings["limit"] = 1_001
      case .password: settings["password"] = "new"
      case .withheld: settings["withheld"] = true
      case .unusable:
        settings["host"] = nil
        settings["servers"] = nil
      }
    }
  }

  private func connection(_ kind: String, _ settings: JSONObject) -> JSONValue {
    ["connection": "peer", "kind": .string(kind), "settings": .object(settings)]
  }

  /// Gives tasks that the peer does not answer, changes the settings, and looks at what becomes of the tasks.
  private func expectReturn(
    _ kind: String, _ settings: JSONObject, _ request: JSONValue, after change: Change,
    hasAll: () -> Bool, answerAll: () -> Void
  ) throws {
    try daemon.attach([connection(kind, settings)])
    _ = try daemon.next("report") { $0.string("state") == "connected" }
    let tasks = try (1...3).map { _ in try daemon.give(request, connection: "peer") }
    try daemon.run(until: hasAll, "messages")
    var changed = settings
    change.apply(to: &changed)
    try daemon.write(["event": "declared", "connections": [connection(kind, changed)]])
    for task in tasks {
      let answer = try daemon.acknowledgement(of: task)
      #expect(answer.nested("error")?.string("code") == "connect")
      #expect(answer.flag("retry"))
    }
    answerAll()
    if change == .unusable || change == .withheld {
      // It comes back.
      if change == .unusable { _ = try daemon.next("report") { $0.string("state") == "away" } }
      try daemon.write(["event": "declared", "connections": [connection(kind, settings)]])
    }
    _ = try daemon.next("report") { $0.string("state") == "connected" }
    // An answer to what was given back has no effect.
    #expect(daemon.all("acknowledge") == [])
    let again = try daemon.give(request, connection: "peer", key: "key-1")
    #expect(try daemon.acknowledgement(of: again).string("result") == "done")
  }

  @Test(arguments: Change.allCases)
  func `messages that NATS servers have not answered are given back`(change: Change) throws {
    let server = try ScriptedNATSServer()
    defer { server.close() }
    try expectReturn(
      "nats", ["servers": [.string("nats://127.0.0.1:\(server.port)")]], ["subject": "load", "payload": "1"],
      after: change,
      hasAll: { server.published.withLock { !$0.isEmpty } }, answerAll: { server.answerPings(100) })
  }

  @Test(arguments: Change.allCases)
  func `messages that an MQTT broker has not answered are given back`(change: Change) throws {
    let broker = try ScriptedBroker()
    defer { broker.close() }
    broker.answerPublications(false)
    try expectReturn(
      "mqtt", ["host": "127.0.0.1", "port": .number(Double(broker.port)), "client_id": "box"],
      ["topic": "load", "payload": "1", "qos": 1], after: change,
      hasAll: { broker.packets.withLock { $0.count { $0 == "box PUBLISH" } == 3 } },
      answerAll: { broker.answerPublications() })
  }

  /// A request that is on its way ends with the settings with which it began.
  @Test func `calls that wait for their turn are sent with the settings of then`() throws {
    let server = try TestServer { _, connection, server in
      server.waitForGate()
      try connection.answer()
    }
    defer { server.close() }
    var settings: JSONObject = ["concurrent": 1, "headers": ["authorization": "Bearer old"]]
    try daemon.attach([ScriptedDaemon.http(server.url, settings)])
    let tasks = try (1...4).map { try daemon.give(["path": .string("/\($0)")], deadline: 20) }
    try daemon.run(until: { server.requests.count == 1 }, "a request")
    settings["headers"] = ["authorization": "Bearer new"]
    settings["timeout"] = 9
    try daemon.write(["event": "declared", "connections": [ScriptedDaemon.http(server.url, settings)]])
    try daemon.run(for: .milliseconds(50))
    server.openGate()
    for task in tasks { #expect(try daemon.acknowledgement(of: task).string("result") == "done") }
    #expect(server.requests.map(\.target) == ["/1", "/2", "/3", "/4"])
    #expect(
      server.requests.map { $0.headers["authorization"] } == ["Bearer old", "Bearer new", "Bearer new", "Bearer new"])
  }

  @Test func `calls that wait are given back where their connection cannot be made any more`() throws {
    let server = try TestServer { _, connection, server in
      server.waitForGate()
      try connection.answer()
    }
    defer { server.close() }
    try daemon.attach([ScriptedDaemon.http(server.url, ["concurrent": 1])])
    let first = try daemon.give(["path": "/1"])
    let second = try daemon.give(["path": "/2"])
    try daemon.run(until: { server.requests.count == 1 }, "a request")
    try daemon.write(["event": "declared", "connections": [ScriptedDaemon.http("nonsense")]])
    let answer = try daemon.acknowledgement(of: second)
    #expect(answer.nested("error")?.string("code") == "connect")
    #expect(answer.flag("retry"))
    server.openGate()
    #expect(try daemon.acknowledgement(of: first).string("result") == "done")
  }
}
