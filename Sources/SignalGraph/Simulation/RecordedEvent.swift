package import JSON

/// One line of a recording: an event of a signal with its time.
///
/// The lines are those of `subscribe` with timestamps; of their members only these count.
package struct RecordedEvent: Sendable {
  package enum Content: Sendable {
    case value(JSONValue)
    case ending(SignalEnding)
    /// It starts anew, if it has ended.
    case beginning
  }

  package let time: RecordedTime
  package let signal: String
  package let content: Content
  /// The number that a daemon gave a value; a line that was written by hand has none.
  package let sequence: Int?
  /// Whether a daemon told it, rather than a person who wrote the recording.
  package var isTold: Bool
  /// Whether it had come before the one who recorded it did, so that what was told before it may be later.
  package var isRetained = false

  /// Reads `{"at":…,"signal":…,"value":…}`, or an `"event"` of another kind.
  ///
  /// - Returns: `nil` for lines beside events of signals, such as replies and `lagged`.
  package init?(_ line: JSONValue) throws(RecordingError) {
    guard case .object(let object) = line else { throw RecordingError("a line is an object, found \(line.shown)") }
    let event = try Self.text("event", of: object) ?? "next"
    guard object["reply"] == nil, !Self.passedOver.contains(event) else { return nil }
    // Without its time its place among the values is unknown; the values themselves tell of it as well.
    if event == "subscribed", object["at"] == nil { return nil }
    // An action of a daemon or a reload on a signal is no event of the signal's own.
    if event == "interrupted", object["reason"] != nil { return nil }
    guard let signal = try Self.text("signal", of: object) else { throw RecordingError("\"signal\" is missing") }
    guard let at = try Self.text("at", of: object) else {
      throw RecordingError("\"at\" is missing: when it happened, such as \"2026-05-01T12:00:00Z\" or \"1m30s\"")
    }
    guard let time = RecordedTime(at) else {
      throw RecordingError("\"at\" is RFC 3339 such as \"2026-05-01T12:00:00Z\", or a duration, not \"\(at)\"")
    }
    self.time = time
    self.signal = signal
    content = try Self.content(event, object)
    if case .number(let number)? = object["seq"]?.plain {
      sequence = Int(exactly: number).flatMap { (1...1 << 53).contains($0) ? $0 : nil }
    } else {
      sequence = nil
    }
    isTold = sequence != nil
  }

  /// The lines that a client receives, or writes itself, beside the events of signals.
  private static let passedOver: Set = [
    "lagged", "alive", "ended", "connected", "disconnected", "expired", "renewed",
  ]

  private static func content(_ event: String, _ object: JSONObject) throws(RecordingError) -> Content {
    switch event {
    case "next":
      guard let value = object["value"] else { throw RecordingError("\"value\" is missing") }
      return .value(value)
    case "subscribed": return .beginning
    case "completed": return .ending(.completed)
    case "interrupted": return .ending(.interrupted)
    case "failed":
      guard case .object(let error)? = object["error"] else {
        return .ending(.failed(SignalFailure(code: "error", message: "")))
      }
      let code = try text("code", of: error) ?? "error"
      return .ending(.failed(SignalFailure(code: code, message: try text("message", of: error) ?? "")))
    default: throw RecordingError("\"event\" is next, completed, failed, interrupted or subscribed, not \"\(event)\"")
    }
  }

  private static func text(_ key: String, of object: JSONObject) throws(RecordingError) -> String? {
    guard let value = object[key] else { return nil }
    if case .string(let text) = value.plain { return text }
    throw RecordingError("\"\(key)\" is a string, not \(value.shown)")
  }
}

/// An error in a line of a recording.
package struct RecordingError: Error, Equatable {
  package let message: String
  /// Whether it names a signal that does not exist.
  package let isUnknownSignal: Bool

  package init(_ message: String, isUnknownSignal: Bool = false) {
    self.message = message
    self.isUnknownSignal = isUnknownSignal
  }
}
