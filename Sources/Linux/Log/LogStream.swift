/// Standard error as a non-blocking log.
///
/// A stalled reader, a full disk or a closed pipe loses records, which are counted and reported once there is space
/// again; it never blocks the program.
final class LogStream {
  /// The space guaranteed in a writable pipe (`PIPE_BUF`).
  private static let portion = 4096

  private let transfer: Transfer
  private var lost = 0
  private var isCut = false

  init(_ number: Int32 = StandardStream.error.rawValue) { transfer = Transfer(number) }

  /// Writes a record's line, preceded by a report of lost records, if any.
  func write(_ record: LogRecord, _ line: (LogRecord) -> String) {
    var text = isCut ? "\n" : ""
    if lost > 0 { text += line(.lost(lost, at: record.time)) }
    text += line(record)
    if take(text) { lost = 0 } else { lost += 1 }
  }

  /// Writes as much as there is space for.
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

  /// Writes once without waiting; returns 0 if it would block, or on an error.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let ready = try? transfer.wait(for: .writable, timeout: .zero), ready.contains(.writable),
      case .bytes(let count)? = try? transfer.write(bytes)
    else { return 0 }
    return count
  }
}
