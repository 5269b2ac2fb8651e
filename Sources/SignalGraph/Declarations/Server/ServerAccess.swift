/// Who may do what with the daemon itself, beside root and its own user, who may everything.
package struct ServerAccess: Sendable, Equatable {
  /// Who sees the counts of the daemon and of all signals.
  package var stats: [Principal] = []

  package init() {}

  init(reading reader: MappingReader) {
    if let list = reader.optional("stats") { stats = Principal.list(list.node, reader.context) }
    reader.finish()
  }
}
