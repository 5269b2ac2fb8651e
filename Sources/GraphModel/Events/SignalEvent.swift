package import JSON

/// An event of a running signal: values, then at most one ending, then nothing.
package enum SignalEvent: Sendable {
  /// A value and its sequence number, which counts from 1.
  case next(Payload, sequence: UInt64)
  case ended(SignalEnding)
}

/// The ending of a signal.
package enum SignalEnding: Equatable, Sendable {
  case completed
  indirect case failed(SignalFailure)
  case interrupted

  /// The ending in words: `failed: no value for 30s`.
  package var story: String {
    switch self {
    case .completed: "completed"
    case .failed(let failure): "failed: \(failure.message)"
    case .interrupted: "been interrupted"
    }
  }

  /// The name of its event.
  package var event: String {
    switch self {
    case .completed: "completed"
    case .failed: "failed"
    case .interrupted: "interrupted"
    }
  }
}

/// The reason that a signal failed: a code for programs, a message for people.
package struct SignalFailure: Error, Equatable, Sendable {
  package let code: String
  package let message: String

  package init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  /// The error object of the wire protocol.
  package var value: JSONValue { ["code": .string(code), "message": .string(message)] }
}
