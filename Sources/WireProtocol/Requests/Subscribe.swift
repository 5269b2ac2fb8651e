internal import JSON

/// A request for the events of a signal, or of all that a pattern covers.
package struct SubscribeRequest: WireRequest {
  package static let op = "subscribe"
  package static let summary = "Subscribe to the events of a signal, or of all signals that match a pattern."
  package static let fields: [RequestField<Self>] = [
    .required("signal", \.signal, "a signal, or a pattern: climate.*, *.alarm, *.*"),
    .optional("subscription", \.subscription, "a label for the events"),
    .optional("replay", \.replay, "the number of retained values to start with"),
    .optional("from", \.from, "resume after this sequence number; for a pattern, after those of its signals"),
    .optional("epoch", \.epoch, "the epoch of a \"from\" that is a number, from the answer to \"subscribe\""),
    .optional("take", \.take, "end after this many values"),
    .optional("where", \.where, "an expression: only matching values"),
    .optional("every", \.every, "at most one value per interval, the newest; \(leastEvery) or more"),
    .optional(
      "heartbeat", \.heartbeat, "an \"alive\" event after this long without events; \(leastHeartbeat) or more"),
    .optional("overflow", \.overflow, "the policy for a client that reads too slowly"),
    .optional("timestamps", \.timestamps, "include the time of events, as \"at\""),
  ]
  package static let shorthand: [ShorthandField] = [.word("signal")]
  /// The shortest allowed intervals.
  package static let leastEvery = "1ms"
  package static let leastHeartbeat = "10ms"

  package var signal = SignalPattern.unset
  package var subscription: String?
  package var replay: UInt64?
  package var from: Continuation?
  package var epoch: String?
  package var take: Count?
  package var `where`: String?
  package var every: Interval?
  package var heartbeat: Interval?
  package var overflow: OverflowRule?
  package var timestamps: Bool?

  package init() {}

  package init(signal: SignalPattern) { self.signal = signal }

  package func check() throws(WireError) {
    try require(every, of: "every", atLeast: Self.leastEvery)
    try require(heartbeat, of: "heartbeat", atLeast: Self.leastHeartbeat)
    try checkContinuation()
    if from != nil && replay != nil {
      throw WireError(.badRequest, "\"replay\" cannot be combined with \"from\"")
    }
  }

  private func checkContinuation() throws(WireError) {
    switch from {
    case .places:
      if signal.isName {
        throw WireError(
          .badRequest, "\"from\" must be a number, with \"epoch\", unless \"signal\" is a pattern")
      }
      if epoch != nil { throw WireError(.badRequest, "\"epoch\" requires a \"from\" that is a number") }
    case .after:
      if epoch == nil { throw WireError(.badRequest, "\"from\" requires \"epoch\"") }
      if !signal.isName {
        throw WireError(
          .badRequest,
          "for a pattern, \"from\" must give each signal: {\"a.b\": {\"seq\": 7, \"epoch\": \"…\"}}")
      }
    case nil: if epoch != nil { throw WireError(.badRequest, "\"epoch\" requires \"from\"") }
    }
  }

  private func require(_ interval: Interval?, of field: String, atLeast least: String) throws(WireError) {
    guard let interval, let least = Interval(least), interval.duration < least.duration else { return }
    throw WireError(.badRequest, "\"\(field)\" must be \(least.text) or more, not \(interval.text)")
  }
}

package struct SubscribeReply: Reply {
  package static let op: StaticString = "subscribe"

  /// A signal of the subscription.
  package struct Signal: Sendable {
    package let name: String
    /// The number of its last value so far.
    package let seq: UInt64
    /// The epoch of its sequence numbers, unless the client knows it already.
    package let epoch: String?

    package init(_ name: String, seq: UInt64, epoch: String? = nil) {
      self.name = name
      self.seq = seq
      self.epoch = epoch
    }

    fileprivate var value: JSONValue {
      var object: JSONObject = ["signal": .string(name), "seq": .number(Double(seq))]
      object["epoch"] = epoch.map { .string($0) }
      return .object(object)
    }
  }

  package let signals: [Signal]
  /// The epoch of a single signal; `nil` for a pattern.
  package let epoch: String?

  package init(signals: [Signal], epoch: String? = nil) {
    self.signals = signals
    self.epoch = epoch
  }

  package func writeMembers(to line: inout LineWriter) {
    line.member("signals", .array(signals.map(\.value)))
    if let epoch { line.member("epoch", epoch) }
  }
}
