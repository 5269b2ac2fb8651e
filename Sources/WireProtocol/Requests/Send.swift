package import JSON

/// Sends a value, several, or an ending into an input.
package struct SendRequest: WireRequest {
  package static let op = "send"
  package static let summary = "Sends a value into an input; silent when it succeeds, unless it has an id."
  package static let fields: [RequestField<Self>] = [
    .required("signal", \.signal, "the input"),
    .optional("value", \.value, "the value"),
    .optional("values", \.values, "several values, sent in order with no other client's between"),
    .optional("event", \.event, "an ending instead of a value; the input must be endable"),
    .optional("error", \.error, "how it failed, with \"event\":\"failed\""),
    .optional("message_id", \.messageID, "sent again with the same one, it does nothing more; for durable graphs"),
  ]
  package static let shorthand: [ShorthandField] = [.word("signal"), .rest("value")]

  /// The beginning of the refusal of a `message_id` that nothing would remember.
  package static let messageIDIsForDurable = "\"message_id\" is for signals of durable graphs"

  package enum Event: String, WordField {
    case completed
    case failed
    case interrupted
  }

  /// The thing to send, from fields that exclude each other.
  package enum Content: Sendable {
    case value(Payload)
    case values([Payload])
    case completed
    case failed(Failure)
    case interrupted

    package var isEnding: Bool {
      switch self {
      case .value, .values: false
      case .completed, .failed, .interrupted: true
      }
    }
  }

  package var signal = ""
  package var value: Payload?
  package var values: PayloadList?
  package var event: Event?
  package var error: Failure?
  package var messageID: MessageID?

  package init() {}

  package init(signal: String, value: Payload) {
    self.signal = signal
    self.value = value
  }

  package var content: Content {
    if let value { return .value(value) }
    if let values { return .values(values.payloads) }
    switch event {
    case .completed: return .completed
    case .failed: return .failed(error ?? Failure(code: "error", message: ""))
    case .interrupted, nil: return .interrupted
    }
  }

  package func check() throws(WireError) {
    switch (value == nil ? 0 : 1) + (values == nil ? 0 : 1) + (event == nil ? 0 : 1) {
    case 0: throw WireError(.badRequest, "\"send\" needs a \"value\", \"values\" or an \"event\"")
    case 1: break
    default: throw WireError(.badRequest, "\"send\" takes only one of \"value\", \"values\" and \"event\"")
    }
    if event == .failed && error == nil {
      throw WireError(.badRequest, "\"event\":\"failed\" needs an \"error\": \(Failure.expectation)")
    }
    if event != .failed && error != nil {
      throw WireError(.badRequest, "\"error\" goes only with \"event\":\"failed\"")
    }
  }
}

package struct SendReply: Reply {
  package static let op: StaticString = "send"

  package let signal: String
  /// The number of the last value on the signal; none where its own pipe let nothing through.
  package let seq: UInt64?
  /// Whether it was carried out before, and nothing was done this time.
  package let isDuplicate: Bool

  package init(signal: String, seq: UInt64?, isDuplicate: Bool = false) {
    self.signal = signal
    self.seq = seq
    self.isDuplicate = isDuplicate
  }

  package func writeMembers(to line: inout LineWriter) {
    line.member("signal", signal)
    if let seq { line.member("seq", seq) } else { line.member("seq", .null) }
    if isDuplicate { line.member("duplicate", true) }
  }
}
