/// Emits the events that values describe.
@usableFromInline struct Dematerialize<Input, Output, OutputFailure: Error>: Operator {
  @usableFromInline typealias Failure = Never
  @usableFromInline let event: (Input) -> Event<Output, OutputFailure>

  @inlinable init(_ event: @escaping (Input) -> Event<Output, OutputFailure>) { self.event = event }

  @inlinable func observer<Downstream: Receiver<Output, OutputFailure>>(
    for downstream: Downstream
  ) -> Observer<Input, Never> {
    Observer(
      link: downstream,
      value: { [event] downstream, value in
        let event = event(value)
        if case .value(let output) = event { downstream.receive(output) }
        if let ending = event.ending { downstream.end(ending) }
      },
      ending: { $0.end($1.promoted()) })
  }
}

@inlinable func dematerializing<Value, Failure>() -> Dematerialize<Result<Value, Failure>, Value, Failure> {
  Dematerialize {
    switch $0 {
    case .success(let value): .value(value)
    case .failure(let error): .failed(error)
    }
  }
}

extension Signal where Failure == Never {
  /// The events that are this signal's values; the reverse of `materialize`.
  @inlinable public func dematerialize<V, F>() -> Signal<V, F> where Value == Signals.Event<V, F> {
    apply(Dematerialize { $0 })
  }

  /// The values of successes, up to the first failure, with which it fails; the reverse of `materializeResults`.
  @inlinable public func dematerializeResults<V, F>() -> Signal<V, F> where Value == Result<V, F> {
    apply(dematerializing())
  }
}

extension SignalProducer where Failure == Never {
  /// The events that are this producer's values; the reverse of `materialize`.
  @inlinable public func dematerialize<V, F>() -> SignalProducer<V, F> where Value == Signals.Event<V, F> {
    apply(Dematerialize { $0 })
  }

  /// The values of successes, up to the first failure, with which it fails; the reverse of `materializeResults`.
  @inlinable public func dematerializeResults<V, F>() -> SignalProducer<V, F> where Value == Result<V, F> {
    apply(dematerializing())
  }
}
