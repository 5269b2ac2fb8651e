import JSON
import Linux
import TestSupport
import Testing
import WireProtocol

@testable import Bridge

@Suite struct `The relay of a daemon in a cluster` {
  /// The end of a connection is reported by a thread of the library, often before its beginning.
  @Test func `connects again where a server ends a connection at once`() throws {
    let count = 32
    let server = try HastyNATSServer(ending: count)
    defer { server.close() }
    let loop = try EventLoop()
    let declaration: JSONValue = [
      "connection": "fleet", "kind": "nats", "settings": ["servers": [.string("nats://127.0.0.1:\(server.port)")]],
    ]
    var bytes: [UInt8] = []
    RelayFrame.connect(Array(declaration.description.utf8)).append(to: &bytes)
    var relays: [(Relay, daemon: Int32, own: Int32)] = []
    defer { for relay in relays { for number in [relay.daemon, relay.own] { _ = OwnedDescriptor(owning: number) } } }
    for _ in 0..<count {
      let (daemon, own) = try UnixSocket.pair().take()
      relays.append((try Relay(own, loop: loop, log: Log(sink: RecordedLog())), daemon, own))
      try Transfer(daemon).writeAll(bytes)
    }
    let deadline = MonotonicInstant.now() + .seconds(30)
    while server.connections.withLock({ $0 }) < 2 * count, MonotonicInstant.now() < deadline {
      try loop.runIteration(timeout: .milliseconds(20))
    }
    #expect(server.connections.withLock { $0 } == 2 * count)
  }
}
