/// The rights to the daemon itself; root and the daemon's own user have all of them.
package struct ServerAccess: Sendable, Equatable {
  /// The users that may read the statistics of the daemon and of all signals.
  package var stats: [Principal] = []
  /// The users whose clients may be adapters.
  package var adapters: [Principal] = []

  package init() {}

  static let keys = ["stats", "adapters"]

  init(reading reader: MappingReader) {
    if let list = reader.optional("stats") { stats = Principal.list(list.node, reader.context) }
    if let list = reader.optional("adapters") { adapters = Principal.list(list.node, reader.context) }
  }
}
