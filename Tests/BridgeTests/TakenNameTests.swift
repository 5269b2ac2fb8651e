import JSON
import Testing

@testable import Bridge

@Suite struct `A name that two MQTT clients have` {
  @Test(arguments: [
    ([0xE0, 2, 0x8E, 0], "another client has taken its name (client_id box): each connection needs one of its own"),
    ([], "the broker has closed the connection; another client may have its name (client_id box)"),
  ])
  func `is the reason that is reported`(farewell: [UInt8], reason: String) throws {
    let broker = try ScriptedBroker(farewell: farewell)
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
