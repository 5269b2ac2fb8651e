package import GraphModel
package import Signals

// The endings of a join, determined by those of its inputs in this turn.

extension StreamObserver {
  package func end(with ending: SignalEnding) { send(Ending(ending)) }

  /// Ends as the first ending among the events does.
  package func forwardEnding(of events: [Stream.Event]) {
    if let ending = events.first(where: { $0.isTerminating }) { send(ending) }
  }

  /// Fails if one of the events is a failure; after another ending the join continues without that input.
  package func forwardError(of events: [Stream.Event]) {
    for case .failed(let failure) in events { return send(error: failure) }
  }

  /// Ends if one of the events is a failure or an interruption; a completion leaves the join to the other inputs.
  package func forwardFailure(of events: [Stream.Event]) {
    for event in events {
      switch event {
      case .failed, .interrupted: return send(event)
      case .value, .completed: break
      }
    }
  }
}

extension Ending<SignalFailure> {
  init(_ ending: SignalEnding) {
    switch ending {
    case .completed: self = .completed
    case .failed(let failure): self = .failed(failure)
    case .interrupted: self = .interrupted
    }
  }
}

extension SignalEnding {
  package init(_ ending: Ending<SignalFailure>) {
    switch ending {
    case .completed: self = .completed
    case .failed(let failure): self = .failed(failure)
    case .interrupted: self = .interrupted
    }
  }
}
