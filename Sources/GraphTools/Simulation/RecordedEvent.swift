package import GraphModel
package import JSON

/// One line of a recording: an event of a signal with its time.
///
/// The lines have the form of `subscribe` output with timestamps; other members are ignored.
package struct RecordedEvent: Sendable {
  package enum Content: Sendable {
    case value(JSONValue)
    case ending(SignalEnding)
    /// The signal restarts if it has ended.
    case beginning
  }

  package let time: RecordedTime
  package let signal: String
  package let content: Content
  /// The sequence number from a daemon; `nil` in a handwritten line.
  package let sequence: Int?
  /// True for an event recorded from a daemon, false for a handwritten one.
  package var isReceived: Bool
  /// True for a retained value, published before the recorder subscribed; the events recorded before it may be later.
  package var isRetained = false

  /// Reads `{"at":…,"signal":…,"value":…}`, or an `"event"` of another kind.
  ///
  /// - Returns: `nil` for lines other than events of signals, such as replies and `lagged`.
  package init?(_ line: JSONValue) throws(RecordingError) {
    guard case .object(let object) = line else { throw RecordingError("expected an object, found \(line.shown)") }
    let event = try Self.text(Key.event, of: object) ?? "next"
    guard object.value(of: Key.reply) == nil, event == "next" || !Self.passedOver.contains(event) else { return nil }
    // Without a time its position is unknown; the values themselves imply it.
    if event == "subscribed", object.value(of: Key.at) == nil { return nil }
    // An interruption by an action of the daemon or a reload is no event of the signal itself.
    if event == "interrupted", object.value(of: Key.reason) != nil { return nil }
    guard let signal = try Self.text(Key.signal, of: object) else { throw RecordingError("missing \"signal\"") }
    guard let at = try Self.text(Key.at, of: object) else {
      throw RecordingError("missing \"at\": its time, such as \"2026-05-01T12:00:00Z\" or \"1m30s\"")
    }
    guard let time = RecordedTime(at) else {
      throw RecordingError("\"at\" must be RFC 3339 such as \"2026-05-01T12:00:00Z\", or a duration, not \"\(at)\"")
    }
    self.time = time
    self.signal = signal
    content = try Self.content(event, object)
    if case .number(let number)? = object.value(of: Key.sequence)?.plain {
      sequence = Int(exactly: number).flatMap { (1...1 << 53).contains($0) ? $0 : nil }
    } else {
      sequence = nil
    }
    isReceived = sequence != nil
  }

  private enum Key {
    static let event = MemberKey("event")
    static let reply = MemberKey("reply")
    static let at = MemberKey("at")
    static let reason = MemberKey("reason")
    static let signal = MemberKey("signal")
    static let sequence = MemberKey("seq")
    static let value = MemberKey("value")
    static let error = MemberKey("error")
    static let code = MemberKey("code")
    static let message = MemberKey("message")
  }

  /// The lines of a client's stream other than events of signals.
  private static let passedOver: Set = [
    "lagged", "alive", "ended", "connected", "disconnected", "expired", "renewed",
  ]

  private static func content(_ event: String, _ object: JSONObject) throws(RecordingError) -> Content {
    switch event {
    case "next":
      guard let value = object.separateValue(of: Key.value) else { throw RecordingError("missing \"value\"") }
      return .value(value)
    case "subscribed": return .beginning
    case "completed": return .ending(.completed)
    case "interrupted": return .ending(.interrupted)
    case "failed":
      guard case .object(let error)? = object.value(of: Key.error) else {
        return .ending(.failed(SignalFailure(code: "error", message: "")))
      }
      let code = try text(Key.code, of: error) ?? "error"
      return .ending(.failed(SignalFailure(code: code, message: try text(Key.message, of: error) ?? "")))
    default:
      throw RecordingError("\"event\" must be next, completed, failed, interrupted or subscribed, not \"\(event)\"")
    }
  }

  private static func text(_ key: MemberKey, of object: JSONObject) throws(RecordingError) -> String? {
    guard let value = object.value(of: key) else { return nil }
    if case .string(let text) = value.plain { return text }
    throw RecordingError("\"\(key.name)\" must be a string, not \(value.shown)")
  }
}

/// An error in a line of a recording.
package struct RecordingError: Error, Equatable {
  package let message: String
  package let isUnknownSignal: Bool

  package init(_ message: String, isUnknownSignal: Bool = false) {
    self.message = message
    self.isUnknownSignal = isUnknownSignal
  }
}
