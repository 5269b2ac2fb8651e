@usableFromInline struct MaterializeResults<Input, Failure: Error>: Operator {
  @usableFromInline typealias Output = Result<Input, Failure>
  @usableFromInline typealias OutputFailure = Never

  @inlinable init() {}

  @inlinable func observer<Downstream: Receiver<Result<Input, Failure>, Never>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(
      link: downstream, value: { $0.receive(.success($1)) },
      ending: { downstream, ending in
        if case .failed(let error) = ending { downstream.receive(.failure(error)) }
        if case .interrupted = ending { downstream.end(.interrupted) } else { downstream.end(.completed) }
      })
  }
}

extension Signal {
  /// The values as successes, an error as a failure; then it completes, or is interrupted if that was the ending.
  @inlinable public func materializeResults() -> Signal<Result<Value, Failure>, Never> { apply(MaterializeResults()) }
}

extension SignalProducer {
  /// The values as successes, an error as a failure; then it completes, or is interrupted if that was the ending.
  @inlinable public func materializeResults() -> SignalProducer<Result<Value, Failure>, Never> {
    apply(MaterializeResults())
  }
}
