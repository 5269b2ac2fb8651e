/// The level of the daemon's log.
package struct LogSettings: Sendable, Equatable {
  /// The names of syslog's priorities, from the gravest.
  package enum Level: String, Sendable, CaseIterable {
    case error, warning, notice, info, debug
  }

  /// The least grave level that is still written.
  package var level = Level.info

  package init() {}

  init(reading reader: MappingReader) {
    level = reader.optional("level")?.choice() ?? level
    reader.finish()
  }
}
