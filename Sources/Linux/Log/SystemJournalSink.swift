import CSystemd
import Glibc

/// A sink for the system journal (`sd_journal_sendv(3)`), with the priority and each field as journal fields.
struct SystemJournalSink: LogSink {
  let identifier: String

  /// True if the service manager has connected stderr to the journal (`$JOURNAL_STREAM`).
  static var isConnected: Bool {
    guard let stream = CurrentProcess.environment("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(StandardStream.error.rawValue, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  func write(_ record: LogRecord) {
    var entries = [
      "MESSAGE=\(record.message)", "PRIORITY=\(record.level.rawValue)", "SYSLOG_IDENTIFIER=\(identifier)",
    ]
    // MESSAGE_ID is a standard field of the journal; the others are the program's own.
    entries += record.fields.map { field in
      let name = field.name.uppercased()
      return "\(name == "MESSAGE_ID" ? name : "SIGNALBOX_\(name)")=\(field.value)"
    }
    let bytes = entries.map { Array($0.utf8) }
    // The vector points into one buffer, which must not move during the call.
    var joined = bytes.flatMap(\.self)
    joined.withUnsafeMutableBytes { buffer in
      var start = 0
      let vector = bytes.map { entry in
        defer { start += entry.count }
        return iovec(iov_base: buffer.baseAddress?.advanced(by: start), iov_len: entry.count)
      }
      _ = sd_journal_sendv(vector, Int32(vector.count))
    }
  }
}
