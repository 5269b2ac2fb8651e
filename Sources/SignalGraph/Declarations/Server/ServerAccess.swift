/// The rights to the daemon itself; root and its own user have all of them.
package struct ServerAccess: Sendable, Equatable {
  /// The users who see the counts of the daemon and of all signals.
  package var stats: [Principal] = []

  package init() {}

  init(reading reader: MappingReader) {
    if let list = reader.optional("stats") { stats = Principal.list(list.node, reader.context) }
    reader.finish()
  }
}
