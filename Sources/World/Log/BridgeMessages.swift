import JSON
package import Linux

/// The messages of a `signalbox-bridge` that the daemon has started, for the daemon's log.
///
/// Its records keep their levels and fields. Those about the states of connections are left out: the daemon logs what is
/// reported to it.
package struct BridgeMessages {
  /// The most bytes of a line.
  private static let longest = 16_384

  private let name: String
  private let log: Log
  /// The beginning of a line.
  private var unfinished: [UInt8] = []

  /// - Parameter name: The words before each message.
  package init(_ name: String, log: Log) { (self.name, self.log) = (name, log) }

  /// Logs the lines that are complete.
  package mutating func take(_ bytes: [UInt8]) {
    unfinished += bytes
    while let end = unfinished.firstIndex(of: UInt8(ascii: "\n")) {
      write(unfinished[..<end])
      unfinished.removeSubrange(...end)
    }
    if unfinished.count > Self.longest { finish() }
  }

  /// Logs the rest.
  package mutating func finish() {
    if !unfinished.isEmpty { write(unfinished[...]) }
    unfinished = []
  }

  /// Writes a record, or whatever else was printed.
  private func write(_ line: ArraySlice<UInt8>) {
    guard case .object(let record)? = try? JSONParser.value(onThisThread: Array(line).span).plain,
      case .string(let message)? = record["message"]?.plain
    else { return log.notice("\(name): \(String(decoding: line, as: UTF8.self))") }
    if record["state"] != nil { return }
    var (level, fields) = (LogLevel.notice, [LogRecord.Field]())
    for member in record.members {
      guard case .string(let text) = member.value.plain else { continue }
      switch member.key {
      case "level": level = LogLevel(name: text) ?? level
      case "time", "message": break
      default: fields.append((member.key, text))
      }
    }
    log.write(level, "\(name): \(message)", fields)
  }
}
