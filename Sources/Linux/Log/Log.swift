/// The importance of a record; the numbers are syslog's priorities.
package enum LogLevel: Int, Comparable, CaseIterable, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  /// The name that configuration and records use.
  package var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }

  package init?(name: String) {
    guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// An event, for the people who run the program.
package struct LogRecord: Sendable {
  package typealias Field = (name: String, value: String)

  package let time: WallTime
  package let level: LogLevel
  package let message: String
  /// Fields that a tool can search for, by lower-case names such as `signal` or `uid`.
  package let fields: [Field]
}

/// A destination of records.
package protocol LogSink {
  func write(_ record: LogRecord)
}

/// The program's log.
package final class Log {
  /// Records that matter less are not written.
  package var level: LogLevel
  private let sink: any LogSink

  package init(level: LogLevel = .info, sink: any LogSink) {
    self.level = level
    self.sink = sink
  }

  /// Writes to the journal where the service manager has connected stderr with it, else to stderr: text for a
  /// terminal, otherwise one JSON object a record.
  package static func standard(level: LogLevel = .info, identifier: String) -> Log {
    if let journal = journal(level: level, identifier: identifier) { return journal }
    if StandardStream.error.isTerminal { return Log(level: level, sink: TextSink(identifier: identifier)) }
    return Log(level: level, sink: JSONLinesSink())
  }

  /// The journal, where the service manager has connected stderr with it.
  package static func journal(level: LogLevel = .info, identifier: String) -> Log? {
    JournalSink.isConnected ? Log(level: level, sink: JournalSink(identifier: identifier)) : nil
  }

  package func error(_ message: @autoclosure () -> String, _ fields: LogRecord.Field...) {
    write(.error, message(), fields)
  }

  package func warning(_ message: @autoclosure () -> String, _ fields: LogRecord.Field...) {
    write(.warning, message(), fields)
  }

  package func notice(_ message: @autoclosure () -> String, _ fields: LogRecord.Field...) {
    write(.notice, message(), fields)
  }

  package func info(_ message: @autoclosure () -> String, _ fields: LogRecord.Field...) {
    write(.info, message(), fields)
  }

  package func debug(_ message: @autoclosure () -> String, _ fields: LogRecord.Field...) {
    write(.debug, message(), fields)
  }

  package func write(_ level: LogLevel, _ message: @autoclosure () -> String, _ fields: [LogRecord.Field]) {
    guard level <= self.level else { return }
    sink.write(LogRecord(time: .now(), level: level, message: message(), fields: fields))
  }
}
