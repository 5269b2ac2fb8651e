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

  /// Reads the members `at`, `signal` and `value`, or an `event` of another kind.
  ///
  /// - Returns: `nil` for lines other than events of signals, such as replies and `lagged`.
  package init?(_ members: RecordedMembers) throws(RecordingError) {
    let event = try members.text(.event) ?? "next"
    guard members[.reply] == nil, event == "next" || !Self.passedOver.contains(event) else { return nil }
    let at = try members.text(.at)
    // Without a time its position is unknown; the values themselves imply it.
    if event == "subscribed", at == nil { return nil }
    // An interruption by an action of the daemon or a reload is no event of the signal itself.
    if event == "interrupted", members[.reason] != nil { return nil }
    guard let signal = try members.text(.signal) else { throw RecordingError("missing \"signal\"") }
    guard let at else {
      throw RecordingError("missing \"at\": its time, such as \"2026-05-01T12:00:00Z\" or \"1m30s\"")
    }
    guard let time = RecordedTime(at) else {
      throw RecordingError("\"at\" must be RFC 3339 such as \"2026-05-01T12:00:00Z\", or a duration, not \"\(at)\"")
    }
    self.time = time
    self.signal = signal
    content = try Self.content(event, members)
    if case .number(let number)? = members[.seq]?.plain {
      sequence = Int(exactly: number).flatMap { (1...1 << 53).contains($0) ? $0 : nil }
    } else {
      sequence = nil
    }
    isReceived = sequence != nil
  }

  /// The lines of a client's stream other than events of signals.
  private static let passedOver: Set = [
    "lagged", "alive", "ended", "connected", "disconnected", "expired", "renewed",
  ]

  private static func content(_ event: String, _ members: RecordedMembers) throws(RecordingError) -> Content {
    switch event {
    case "next":
      guard let value = members[.value] else { throw RecordingError("missing \"value\"") }
      return .value(value)
    case "subscribed": return .beginning
    case "completed": return .ending(.completed)
    case "interrupted": return .ending(.interrupted)
    case "failed":
      guard case .object(let error)? = members[.error] else {
        return .ending(.failed(SignalFailure(code: "error", message: "")))
      }
      let code = try RecordedMembers.text(error["code"], "code") ?? "error"
      let message = try RecordedMembers.text(error["message"], "message") ?? ""
      return .ending(.failed(SignalFailure(code: code, message: message)))
    default:
      throw RecordingError("\"event\" must be next, completed, failed, interrupted or subscribed, not \"\(event)\"")
    }
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
