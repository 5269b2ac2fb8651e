/// The limits of each client.
package struct ClientLimits: Sendable, Equatable {
  package var subscriptions = 10_000
  /// Values that it may send per second; `nil` for no limit.
  package var sends: Int?

  package init() {}

  static let keys = ["subscriptions", "sends"]

  init(reading reader: MappingReader) {
    subscriptions = reader.optional("subscriptions")?.count(from: 1) ?? subscriptions
    sends = reader.optional("sends")?.count(from: 1)
  }
}
