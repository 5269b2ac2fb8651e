/// Changes the ending and the type of the error, not the values.
@usableFromInline struct MapEnding<Input, Failure: Error, OutputFailure: Error>: Operator {
  @usableFromInline typealias Output = Input
  @usableFromInline let transform: (Ending<Failure>) -> Ending<OutputFailure>

  @inlinable init(_ transform: @escaping (Ending<Failure>) -> Ending<OutputFailure>) { self.transform = transform }

  @inlinable func observer<Downstream: Receiver<Input, OutputFailure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(link: downstream, value: { $0.receive($1) }, ending: { [transform] in $0.end(transform($1)) })
  }
}

extension Signal {
  /// All values; the error of a failure transformed.
  @inlinable public func mapError<F>(_ transform: @escaping (Failure) -> F) -> Signal<Value, F> {
    apply(MapEnding { $0.mapError(transform) })
  }
}

extension Signal where Failure == Never {
  /// This signal as one that could fail.
  @inlinable public func promoteError<F>(_: F.Type = F.self) -> Signal<Value, F> {
    apply(MapEnding { $0.promoted() })
  }
}

extension SignalProducer {
  /// All values; the error of a failure transformed.
  @inlinable public func mapError<F>(_ transform: @escaping (Failure) -> F) -> SignalProducer<Value, F> {
    apply(MapEnding { $0.mapError(transform) })
  }
}

extension SignalProducer where Failure == Never {
  /// This producer as one that could fail.
  @inlinable public func promoteError<F>(_: F.Type = F.self) -> SignalProducer<Value, F> {
    apply(MapEnding { $0.promoted() })
  }
}
