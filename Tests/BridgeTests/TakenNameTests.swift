import Glibc
import JSON
import Linux
import Testing

@testable import Bridge

@Suite struct `A name that two MQTT clients have` {
  /// A broker that accepts each client, and ends its connection.
  private final class Broker: Sendable {
    let port: UInt16
    private let listener: TCPListener

    init(farewell: [UInt8]) throws {
      listener = try TCPListener(host: "127.0.0.1", port: 0)
      port = listener.port
      try listener.descriptor.setBlocking(true)
      let number = listener.descriptor.number
      _ = try Thread("test broker") {
        while true {
          let client = accept(number, nil, nil)
          if client == -1 { return }
          let socket = OwnedDescriptor(owning: client)
          _ = try? Transfer(socket.number).read(upTo: 1024)
          // CONNACK: accepted, without a session and without properties.
          try? Transfer(socket.number).writeAll([0x20, 3, 0, 0, 0] + farewell)
        }
      }
    }

    func close() { shutdown(listener.descriptor.number, Int32(SHUT_RDWR)) }
  }

  @Test(arguments: [
    ([0xE0, 2, 0x8E, 0], "another client has taken its name (client_id box): each connection needs one of its own"),
    ([], "the broker has closed the connection; another client may have its name (client_id box)"),
  ])
  func `is the reason that is reported`(farewell: [UInt8], reason: String) throws {
    let broker = try Broker(farewell: farewell)
    defer { broker.close() }
    let daemon = try ScriptedDaemon()
    try daemon.attach([
      [
        "connection": "home", "kind": "mqtt",
        "settings": ["host": "127.0.0.1", "port": .number(Double(broker.port)), "client_id": "box"],
      ]
    ])
    // The first connection that ends may have had another cause.
    _ = try daemon.next("report") { $0.string("reason") == reason }
  }
}
