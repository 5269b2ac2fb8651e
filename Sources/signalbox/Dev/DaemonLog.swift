internal import GraphModel
internal import JSON
internal import WireProtocol

/// The newest warnings and errors in the log of a daemon.
struct DaemonLog {
  /// The number of lines that are retained.
  private static let most = 100

  private(set) var lines: [MarkedText] = []

  /// Adds a line of the log: an object with a level and a message, or the text of a failed start.
  mutating func add(_ line: String) {
    guard let shown = Self.shown(line) else { return }
    lines.append(shown)
    if lines.count > Self.most { lines.removeFirst() }
  }

  mutating func clear() { lines = [] }

  private static func shown(_ line: String) -> MarkedText? {
    var parser = JSONParser()
    guard line.hasPrefix("{"), case .object(let record)? = try? parser.value(of: Array(line.utf8).span) else {
      return line.isEmpty ? nil : MarkedText(line)
    }
    let level = record.text("level")
    guard ["error", "warning"].contains(level) else { return nil }
    return MarkedText("\(level): ", level == "error" ? .error : .warning) + MarkedText(record.text("message"))
  }
}
