/// The limits of all clients of one user together.
package struct UserLimits: Sendable, Equatable {
  /// Clients connected at once.
  package var connections = 1_000
  /// Bytes held for them.
  package var memory = 64 << 20
  /// Their subscriptions.
  package var subscriptions = 100_000
  /// Values that they may send per second; `nil` for no limit.
  package var sends: Int?

  package init() {}

  static let keys = ["connections", "memory", "subscriptions", "sends"]

  init(reading reader: MappingReader) {
    connections = reader.optional("connections")?.count(from: 1) ?? connections
    memory = reader.optional("memory")?.size(in: 1 ... .max) ?? memory
    subscriptions = reader.optional("subscriptions")?.count(from: 1) ?? subscriptions
    sends = reader.optional("sends")?.count(from: 1)
  }
}
