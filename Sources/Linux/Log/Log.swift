/// The importance of a record, numbered as syslog's priorities.
package enum LogLevel: Int, Comparable, CaseIterable, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  /// The name in configurations and records.
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

/// A log record.
package struct LogRecord: Sendable {
  package typealias Field = (name: String, value: String)

  package let time: WallTime
  package let level: LogLevel
  package let message: String
  /// Fields for searching, with lower-case names such as `signal` or `uid`.
  package let fields: [Field]

  /// A report of records that could not be written.
  static func lost(_ count: Int, at time: WallTime) -> LogRecord {
    LogRecord(time: time, level: .warning, message: "log records were lost: \(count)", fields: [])
  }
}

/// A destination of records.
package protocol LogSink {
  func write(_ record: LogRecord)
}

/// The program's log.
package final class Log {
  /// The least important level that is written.
  package var level: LogLevel
  private let sink: any LogSink

  package init(level: LogLevel = .info, sink: any LogSink) {
    self.level = level
    self.sink = sink
  }

  /// Returns a log to the system journal if the service manager has connected stderr to it, else to stderr: text for a
  /// terminal, otherwise one JSON object per record.
  package static func standard(level: LogLevel = .info, identifier: String) -> Log {
    if let journal = journal(level: level, identifier: identifier) { return journal }
    if StandardStream.error.isTerminal { return Log(level: level, sink: TextSink(identifier: identifier)) }
    return Log(level: level, sink: JSONLinesSink())
  }

  /// Returns a log to the system journal if the service manager has connected stderr to it.
  package static func journal(level: LogLevel = .info, identifier: String) -> Log? {
    SystemJournalSink.isConnected ? Log(level: level, sink: SystemJournalSink(identifier: identifier)) : nil
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
