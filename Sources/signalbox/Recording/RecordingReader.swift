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
  private var outline = Outline()
  private var members = RecordedMembers()
  /// The last numbers of the signals at the time of the subscription; `nil` before the first reply of a daemon.
  private var retained: [String: Int]?
  /// The events that have been read and not been returned yet, the next one last.
  private var ready: [(event: RecordedEvent, line: Int)] = []

  /// The line of the last event, starting at 1.
  private(set) var line = 0

  /// Returns the next event; `nil` after the last.
  mutating func next() throws(CommandError) -> RecordedEvent? {
    if let (event, line) = ready.popLast() {
      self.line = line
      return event
    }
    guard let event = try nextRead() else { return nil }
    return event.isRetained ? try firstGathered(from: event) : event
  }

  /// Collects retained values up to the first live event, and returns the first of them in the order of time.
  private mutating func firstGathered(from first: RecordedEvent) throws(CommandError) -> RecordedEvent? {
    var gathered = [(event: first, line: line)]
    var live: (event: RecordedEvent, line: Int)?
    while live == nil, gathered.count < Self.mostGathered, let event = try nextRead() {
      if event.isRetained { gathered.append((event, line)) } else { live = (event, line) }
    }
    ready = gathered.sorted { ($0.event.time.sortKey, $0.line) < ($1.event.time.sortKey, $1.line) }
    if let live { ready.append(live) }
    ready.reverse()
    guard let (event, line) = ready.popLast() else { return nil }
    self.line = line
    return event
  }

  /// Reads up to the next event, in the order of the lines.
  private mutating func nextRead() throws(CommandError) -> RecordedEvent? {
    while let bytes = try lines.next() {
      line = lines.number
      do throws(RecordingError) {
        guard var event = try read(bytes) else { continue }
        event.isReceived = event.isReceived || retained != nil
        if let sequence = event.sequence, let retained, sequence <= retained[event.signal] ?? 0 {
          event.isRetained = true
        }
        return event
      } catch {
        throw failure(error)
      }
    }
    return nil
  }

  /// Returns the failure for an error in the last event.
  func failure(_ error: RecordingError) -> CommandError {
    CommandError(error.isUnknownSignal ? .unknown : .badValue, "line \(line): \(error.message)")
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>) throws(RecordingError) -> RecordedEvent? {
    let value: JSONValue
    if let plain = RawJSON(plain: bytes.span, noting: &outline) {
      value = plain.value
    } else {
      do throws(JSONError) { value = try parser.value(of: bytes.span) } catch {
        throw RecordingError("invalid JSON: \(error.message), at byte \(error.offset)")
      }
    }
    try members.read(value)
    if members[.reply] == "subscribe", case .object(let object) = value { note(object) }
    return try RecordedEvent(members)
  }

  private mutating func note(_ reply: JSONObject) {
    guard case .array(let signals)? = reply["signals"] else { return }
    var numbers = retained ?? [:]
    for case .object(let signal) in signals { numbers[signal.text("signal")] = Int(exactly: signal.number("seq")) ?? 0 }
    retained = numbers
  }
}
