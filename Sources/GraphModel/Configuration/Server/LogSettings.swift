/// The level of the daemon's log.
package struct LogSettings: Sendable, Equatable {
  /// The names of syslog's priorities, from the most severe.
  package enum Level: String, Sendable, CaseIterable {
    case error, warning, notice, info, debug
  }

  /// The least severe level that is logged.
  package var level = Level.info

  package init() {}

  static let keys = ["level"]

  init(reading reader: MappingReader) {
    level = reader.optional("level")?.choice() ?? level
  }
}
