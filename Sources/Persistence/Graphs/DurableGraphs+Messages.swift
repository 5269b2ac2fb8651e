import GraphEngine
package import GraphModel
package import JSON
package import StateLog

// The messages of clients to durable graphs, and their answers.

extension DurableGraphs {
  /// The content of a client's message.
  package enum Content {
    case value(Payload)
    case values([Payload])
    case ending(SignalEnding)

    var isValue: Bool {
      if case .ending = self { false } else { true }
    }
  }

  /// A slice of the values of one message; each slice is an entry of its own.
  package struct Slice {
    /// The number of the signal's last value before the first slice.
    package let before: UInt64
    /// The number of values sent up to the end of this slice.
    package let end: UInt64
    /// True for the slice that completes the message, which is then answered.
    package let isLast: Bool

    package init(before: UInt64, end: UInt64, isLast: Bool) {
      self.before = before
      self.end = end
      self.isLast = isLast
    }
  }

  /// The reason for refusing a client's message.
  package enum Refusal: Error {
    case send(SendError)
    case storage(StorageError)
    /// The graph has received a message with this ID for another of its signals.
    case nameIsTaken
    /// The daemon is shutting down.
    case over
  }

  /// The outcome of a client's message.
  package struct Outcome: Sendable {
    /// The number of the signal's last value from the message, if there was one.
    package let sequence: UInt64?
    /// True if the message was performed before and had no effect now.
    package let isDuplicate: Bool

    package init(sequence: UInt64?, isDuplicate: Bool) {
      (self.sequence, self.isDuplicate) = (sequence, isDuplicate)
    }
  }

  /// The notification of a client about its message.
  package enum Reply {
    case answer((Result<Outcome, StorageError>) -> Void)
    /// The client wants no answer and is only notified of counts.
    case count(any UnansweredClient)
  }
}

extension RefusedValue {
  /// Creates the record of a value that a signal did not accept.
  init(sent value: Payload, to signal: String, _ error: SendError, by operatorName: String = "send_to") {
    let failure: SignalFailure
    switch error {
    case .badValue(let expected, let found):
      failure = SignalFailure(code: "bad_value", message: "\(signal) takes \(expected), not \(found)")
    case .failed(let reason): failure = reason
    case .ended, .notAnInput, .notEndable:
      failure = SignalFailure(code: "ended", message: "\(signal) no longer takes values")
    }
    self.init(signal: signal, operatorName: operatorName, value: value.value, failure: failure)
  }
}
