internal import JSON

/// Asks for the events of a signal, or of all that a pattern covers.
package struct SubscribeRequest: WireRequest {
  package static let op = "subscribe"
  package static let summary = "Asks for a signal's events, or those of all signals that a pattern covers."
  package static let fields: [RequestField<Self>] = [
    .required("signal", \.signal, "a signal, or a pattern: climate.*, *.alarm, *.*"),
    .optional("subscription", \.subscription, "a label that the events carry"),
    .optional("replay", \.replay, "how many retained values come first"),
    .optional("from", \.from, "continue after this sequence number; for a pattern, after those of the signals"),
    .optional("epoch", \.epoch, "the epoch of a \"from\" that is a number, as the answer to \"subscribe\" told it"),
    .optional("take", \.take, "end after this many values"),
    .optional("where", \.where, "an expression: only values for which it is true"),
    .optional("every", \.every, "at most one value, the newest, in that time, which is \(leastEvery) or more"),
    .optional(
      "heartbeat", \.heartbeat, "say \"alive\" when the signal has been quiet for this long, \(leastHeartbeat) or more"),
    .optional("overflow", \.overflow, "what gives way when you read too slowly"),
    .optional("timestamps", \.timestamps, "whether events carry the time in \"at\""),
  ]
  package static let shorthand: [ShorthandField] = [.word("signal")]
  /// The shortest times that may be asked for.
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
      throw WireError(.badRequest, "\"from\" says already which values come first; leave \"replay\" out")
    }
  }

  private func checkContinuation() throws(WireError) {
    switch from {
    case .places:
      if signal.isName {
        throw WireError(
          .badRequest, "for the exact name of one signal \"from\" is a number, with \"epoch\" beside it")
      }
      if epoch != nil { throw WireError(.badRequest, "each signal in \"from\" has its own epoch; leave \"epoch\" out") }
    case .after:
      if epoch == nil { throw WireError(.badRequest, "\"from\" needs \"epoch\" beside it") }
      if !signal.isName {
        throw WireError(
          .badRequest,
          "for a pattern \"from\" says where each signal goes on: {\"a.b\": {\"seq\": 7, \"epoch\": \"…\"}}")
      }
    case nil: if epoch != nil { throw WireError(.badRequest, "\"epoch\" needs \"from\" beside it") }
    }
  }

  private func require(_ interval: Interval?, of field: String, atLeast least: String) throws(WireError) {
    guard let interval, let least = Interval(least), interval.duration < least.duration else { return }
    throw WireError(.badRequest, "\"\(field)\" must be \(least.text) or more, not \(interval.text)")
  }
}

package struct SubscribeReply: Reply {
  package static let op: StaticString = "subscribe"

  /// One of the signals.
  package struct Signal: Sendable {
    package let name: String
    /// The number of its last value so far.
    package let seq: UInt64
    /// The epoch of its numbers, where a client does not know it from elsewhere.
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
  /// The epoch of the one signal that was named; none for a pattern.
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
