package import JSON

/// A request to send a value, several values, or an ending into an input.
package struct SendRequest: WireRequest {
  package static let op = "send"
  package static let summary = "Send a value to a signal; no answer on success unless it has an id."
  package static let concernsOthers = true
  package static let fields: [RequestField<Self>] = [
    .required("signal", \.signal, "the input"),
    .optional("value", \.value, "the value"),
    .optional("values", \.values, "several values, sent in order without values of other clients in between"),
    .optional("event", \.event, "an ending instead of a value, for an endable input"),
    .optional("error", \.error, "the failure, with \"event\":\"failed\""),
    .optional("message_id", \.messageID, "idempotency key: a repeated one is accepted once; for durable graphs"),
    .optional("payload", \.payload, "for adapters: a record in the source's format, in place of a value"),
    .optional("payload_base64", \.bytes, "for adapters: a record that is no text"),
    .optional("details", \.details, "for adapters: what the peer said beside the record"),
    .optional("position", \.position, "for adapters: where the source was read up to"),
  ]
  package static let shorthand: [ShorthandField] = [.word("signal"), .rest("value")]

  /// The beginning of the refusal of a `message_id` for an ordinary signal.
  package static let messageIDIsForDurable = "\"message_id\" is for signals of durable graphs"

  package enum Event: String, WordField {
    case completed
    case failed
    case interrupted
  }

  /// The content to send, from mutually exclusive fields.
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
  /// The fields of adapters, which other clients may not give.
  package internal(set) var adapterFields: AdapterSendFields?

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
    if adapterFields?.hasRecord == true {
      let hasBoth = payload != nil && bytes != nil
      if value == nil && values == nil && event == nil && error == nil && !hasBoth { return }
      throw WireError(
        .badRequest, "\"send\" takes only one of \"value\", \"values\", \"payload\", \"payload_base64\" and \"event\"")
    }
    switch (value == nil ? 0 : 1) + (values == nil ? 0 : 1) + (event == nil ? 0 : 1) {
    case 0: throw WireError(.badRequest, "\"send\" needs one of \"value\", \"values\" and \"event\"")
    case 1: break
    default: throw WireError(.badRequest, "\"send\" takes only one of \"value\", \"values\" and \"event\"")
    }
    if event == .failed && error == nil {
      throw WireError(.badRequest, "\"event\":\"failed\" needs an \"error\": \(Failure.expectation)")
    }
    if event != .failed && error != nil {
      throw WireError(.badRequest, "\"error\" requires \"event\":\"failed\"")
    }
  }
}

package struct SendReply: Reply {
  package static let op: StaticString = "send"

  package let signal: String
  /// The number of the last value on the signal; `nil` if its own pipe let nothing through.
  package let seq: UInt64?
  /// True if it was handled before, and had no effect this time.
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
