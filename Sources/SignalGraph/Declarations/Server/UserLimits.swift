/// The bounds of one user's clients together.
package struct UserLimits: Sendable, Equatable {
  /// Clients connected at once.
  package var connections = 1_000
  /// Bytes held for them.
  package var memory = 64 << 20
  /// Subscriptions of them.
  package var subscriptions = 100_000
  /// Values that they may send in a second; `nil` for any number.
  package var sends: Int?

  package init() {}

  init(reading reader: MappingReader) {
    connections = reader.optional("connections")?.count(from: 1) ?? connections
    memory = reader.optional("memory")?.size(in: 1 ... .max) ?? memory
    subscriptions = reader.optional("subscriptions")?.count(from: 1) ?? subscriptions
    sends = reader.optional("sends")?.count(from: 1)
    reader.finish()
  }
}
