@usableFromInline struct Materialize<Input, Failure: Error>: Operator {
  @usableFromInline typealias Output = Event<Input, Failure>
  @usableFromInline typealias OutputFailure = Never

  @inlinable init() {}

  @inlinable func observer<Downstream: Receiver<Event<Input, Failure>, Never>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(
      link: downstream, value: { $0.receive(.value($1)) },
      ending: { downstream, ending in
        downstream.receive(Event(ending))
        if case .interrupted = ending { downstream.end(.interrupted) } else { downstream.end(.completed) }
      })
  }
}

extension Signal {
  /// The events as values, the ending among them; then it completes, or is interrupted if that was the ending.
  @inlinable public func materialize() -> Signal<Event, Never> { apply(Materialize()) }
}

extension SignalProducer {
  /// The events as values, the ending among them; then it completes, or is interrupted if that was the ending.
  @inlinable public func materialize() -> SignalProducer<Event, Never> { apply(Materialize()) }
}
