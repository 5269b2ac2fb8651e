/// The bounds of one user's clients together.
package struct UserLimits: Sendable, Equatable {
  /// Clients connected at once.
  package var connections = 1_000
  /// Bytes held for them.
  package var memory = 64 << 20

  package init() {}

  init(reading reader: MappingReader) {
    connections = reader.optional("connections")?.count(from: 1) ?? connections
    memory = reader.optional("memory")?.size(in: 1 ... .max) ?? memory
    reader.finish()
  }
}
