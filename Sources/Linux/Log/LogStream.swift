/// Standard error as a log: it writes as much as fits at once and never waits.
///
/// A reader that has stopped reading, a full disk or a closed pipe cost records, which are counted and reported as soon
/// as there is room again; they never hold up the program.
final class LogStream {
  /// A pipe that is writable has room for this much (`PIPE_BUF`).
  private static let portion = 4096

  private let transfer: Transfer
  private var lost = 0
  /// The last line was cut off.
  private var isCut = false

  init(_ number: Int32 = StandardStream.error.rawValue) { transfer = Transfer(number) }

  /// Writes a record's line; where records were lost before it, first the one that says so.
  func write(_ record: LogRecord, _ line: (LogRecord) -> String) {
    var text = isCut ? "\n" : ""
    if lost > 0 {
      text += line(
        LogRecord(time: record.time, level: .warning, message: "log records were lost: \(lost)", fields: []))
    }
    text += line(record)
    if take(text) { lost = 0 } else { lost += 1 }
  }

  /// Writes all of it while there is room.
  private func take(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let count = write(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.portion)))
        if count == 0 { break }
        rest = rest.dropFirst(count)
      }
      if rest.count < bytes.count { isCut = !rest.isEmpty }
      return rest.isEmpty
    }
  }

  /// Writes once if that needs no waiting; 0 if it would wait, or fails.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let ready = try? transfer.wait(for: .writable, timeout: .zero), ready.contains(.writable),
      case .bytes(let count)? = try? transfer.write(bytes)
    else { return 0 }
    return count
  }
}
