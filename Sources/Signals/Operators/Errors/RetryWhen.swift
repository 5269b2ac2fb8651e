extension SignalProducer {
  /// This producer, restarted when the stream that `handler` makes of its errors emits a value.
  ///
  /// `handler` gets the errors as a signal and returns the trigger: each of its values restarts this producer, its
  /// ending ends the output, even during a run. Rx's `retryWhen`.
  public func retry<Trigger: SignalProducerConvertible>(
    when handler: @escaping (Signal<Failure, Never>) -> Trigger
  ) -> SignalProducer<Value, Failure> where Trigger.Error == Failure {
    restarted(when: handler) { ending in
      if case .failed(let error) = ending { error } else { nil }
    }
  }

  /// This producer, restarted when the stream that `handler` makes of its completions emits a value.
  ///
  /// See `retry(when:)`.
  ///
  /// Rx's `repeatWhen`.
  public func `repeat`<Trigger: SignalProducerConvertible>(
    when handler: @escaping (Signal<(), Never>) -> Trigger
  ) -> SignalProducer<Value, Failure> where Trigger.Error == Failure {
    restarted(when: handler) { ending in
      if case .completed = ending { () } else { nil }
    }
  }

  /// Asks `handler` about endings for which `reason` returns a value; forwards the others.
  private func restarted<Reason, Trigger: SignalProducerConvertible>(
    when handler: @escaping (Signal<Reason, Never>) -> Trigger, _ reason: @escaping (Ending<Failure>) -> Reason?
  ) -> SignalProducer<Value, Failure> where Trigger.Error == Failure {
    .joined { relay, run in
      let (reasons, input) = Signal<Reason, Never>.pipe()
      let succession = Succession<Failure, Relay<Value, Failure>>(relay, in: run) { ending in
        guard let reason = reason(ending) else { return .end(ending) }
        return .wait { input.send(value: reason) }
      }
      let trigger = handler(reasons).producer
      let deciding = Signals.Observer<Trigger.Value, Failure>(
        link: succession, value: { succession, _ in succession.resume(with: .follow(self)) },
        ending: { $0.deliver($1, to: $0.downstream) })
      trigger.start(deciding, as: Run()) { run.hold($0) }
      succession.advance(to: .follow(self))
    }
  }
}
