import ReactiveCore

// How a join ends: by the endings that its inputs brought in this turn.

extension StreamObserver {
  func end(with ending: SignalEnding) { send(Ending(ending)) }

  /// Ends as the first of the events that is an ending does.
  func forwardEnding(of events: [Stream.Event]) {
    if let ending = events.first(where: { $0.isTerminating }) { send(ending) }
  }

  /// Fails when one of the events is a failure; a mere listener goes on without the signal when it ends otherwise.
  func forwardError(of events: [Stream.Event]) {
    for case .failed(let failure) in events { return send(error: failure) }
  }

  /// Ends when one of the events is a failure or an interruption; a completion is the others' business.
  func forwardFailure(of events: [Stream.Event]) {
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
  init(_ ending: Ending<SignalFailure>) {
    switch ending {
    case .completed: self = .completed
    case .failed(let failure): self = .failed(failure)
    case .interrupted: self = .interrupted
    }
  }
}
