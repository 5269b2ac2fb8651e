internal import GraphModel
internal import GraphTools
internal import JSON
internal import WireProtocol

/// The reader of a recording on standard input; its events are in the order of time.
///
/// A daemon begins with the retained values, one signal after the other; they are collected and sorted before the first
/// live value.
struct RecordingReader: ~Copyable {
  /// The most retained values of a subscription to collect.
  static let mostGathered = 1_000_000

  private var lines = InputLines()
  private var parser = JSONParser()
  /// The last numbers of the signals at the time of the subscription; `nil` before the first reply of a daemon.
  private var retained: [String: Int]?
  /// The events that have been read and not been returned yet, the next one last.
  private var ready: [(event: RecordedEvent, line: Int)] = []

  /// The line of the last event, starting at 1.
  private(set) var line = 0

  /// Returns the next event; `nil` after the last.
  mutating func next() throws(CommandError) -> RecordedEvent? {
    if ready.isEmpty { try fill() }
    guard let (event, line) = ready.popLast() else { return nil }
    self.line = line
    return event
  }

  private mutating func fill() throws(CommandError) {
    var gathered: [(event: RecordedEvent, line: Int)] = []
    var live: (event: RecordedEvent, line: Int)?
    while live == nil, gathered.count < Self.mostGathered, let bytes = try lines.next() {
      do throws(RecordingError) {
        guard var event = try read(bytes) else { continue }
        event.isReceived = event.isReceived || retained != nil
        if let sequence = event.sequence, sequence <= retained?[event.signal] ?? 0 {
          event.isRetained = true
          gathered.append((event, lines.number))
        } else {
          live = (event, lines.number)
        }
      } catch {
        line = lines.number
        throw failure(error)
      }
    }
    ready = gathered.sorted { ($0.event.time.sortKey, $0.line) < ($1.event.time.sortKey, $1.line) }
    if let live { ready.append(live) }
    ready.reverse()
  }

  /// Returns the failure for an error in the last event.
  func failure(_ error: RecordingError) -> CommandError {
    CommandError(error.isUnknownSignal ? .unknown : .badValue, "line \(line): \(error.message)")
  }

  private mutating func read(_ bytes: [UInt8]) throws(RecordingError) -> RecordedEvent? {
    let value: JSONValue
    do throws(JSONError) { value = try parser.value(of: bytes.span) } catch {
      throw RecordingError("invalid JSON: \(error.message), at byte \(error.offset)")
    }
    if case .object(let object) = value, object["reply"] == "subscribe" { note(object) }
    return try RecordedEvent(value)
  }

  private mutating func note(_ reply: JSONObject) {
    guard case .array(let signals)? = reply["signals"] else { return }
    var numbers = retained ?? [:]
    for case .object(let signal) in signals { numbers[signal.text("signal")] = Int(exactly: signal.number("seq")) ?? 0 }
    retained = numbers
  }
}
