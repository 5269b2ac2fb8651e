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
}
