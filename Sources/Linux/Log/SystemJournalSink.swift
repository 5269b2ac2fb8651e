import Glibc

/// A sink for the system journal, with the priority and each field as journal fields.
///
/// Records that a stalled journal does not take are counted, and the number is reported once it does.
final class SystemJournalSink: LogSink {
  private let identifier: String
  private let journal: JournalSocket
  private var lost = 0

  init(identifier: String, journal: JournalSocket = JournalSocket()) {
    self.identifier = identifier
    self.journal = journal
  }

  /// True if the service manager has connected stderr to the journal (`$JOURNAL_STREAM`).
  static var isConnected: Bool {
    guard let stream = CurrentProcess.environment("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(StandardStream.error.rawValue, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  func write(_ record: LogRecord) {
    if lost > 0, journal.send(entry(.lost(lost, at: record.time))) { lost = 0 }
    if lost > 0 || !journal.send(entry(record)) { lost += 1 }
  }

  /// Returns the fields of a record in the journal's notation.
  private func entry(_ record: LogRecord) -> [UInt8] {
    var bytes: [UInt8] = []
    append("MESSAGE", record.message, to: &bytes)
    append("PRIORITY", "\(record.level.rawValue)", to: &bytes)
    append("SYSLOG_IDENTIFIER", identifier, to: &bytes)
    for field in record.fields {
      // MESSAGE_ID is a standard field of the journal; the others are the program's own.
      let name = field.name.uppercased()
      append(name == "MESSAGE_ID" ? name : "SIGNALBOX_\(name)", field.value, to: &bytes)
    }
    return bytes
  }

  /// Appends a field; a value of several lines is preceded by its length.
  private func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    bytes += name.utf8
    if value.utf8.contains(UInt8(ascii: "\n")) {
      bytes.append(UInt8(ascii: "\n"))
      withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += value.utf8
    bytes.append(UInt8(ascii: "\n"))
  }
}
