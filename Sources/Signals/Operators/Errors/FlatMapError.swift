extension Ending {
  /// The sequel of a stream whose error is replaced by the producer that `transform` makes of it.
  @inlinable func replacingError<Value, F>(
    _ transform: (Failure) -> SignalProducer<Value, F>
  ) -> Sequel<Value, Failure, F> {
    switch self {
    case .failed(let error): .replace(transform(error))
    case .completed: .end(.completed)
    case .interrupted: .end(.interrupted)
    }
  }
}

extension Signal {
  /// All values and, if this signal fails, the events of the producer that is made of its error.
  ///
  /// - Parameter transform: Makes the stream that replaces the failure.
  @inlinable public func flatMapError<F>(
    _ transform: @escaping (Failure) -> SignalProducer<Value, F>
  ) -> Signal<Value, F> {
    continued { $0.replacingError(transform) }
  }

  /// All values and, if this signal fails, the events of the stream that is made of its error.
  ///
  /// - Parameter transform: Makes the stream that replaces the failure.
  @inlinable public func flatMapError<Inner: SignalProducerConvertible>(
    _ transform: @escaping (Failure) -> Inner
  ) -> Signal<Value, Inner.Error> where Inner.Value == Value {
    continued { $0.replacingError { transform($0).producer } }
  }

  /// All values and, if this signal fails, the events of a producer instead.
  ///
  /// RAC's `catchTo:`.
  @inlinable public func catchTo<F>(_ replacement: SignalProducer<Value, F>) -> Signal<Value, F> {
    flatMapError { _ in replacement }
  }

  /// All values and, if this signal fails, one more in place of the failure; then it completes.
  ///
  /// Rx's `catchAndReturn`.
  @inlinable public func catchAndReturn(_ value: Value) -> Signal<Value, Never> {
    flatMapError { _ in SignalProducer<Value, Never>(value: value) }
  }
}

extension SignalProducer {
  /// All values and, if this producer fails, the events of the producer that is made of its error.
  ///
  /// - Parameter transform: Makes the stream that replaces the failure.
  @inlinable public func flatMapError<F>(
    _ transform: @escaping (Failure) -> SignalProducer<Value, F>
  ) -> SignalProducer<Value, F> {
    continued { $0.replacingError(transform) }
  }

  /// All values and, if this producer fails, the events of the stream that is made of its error.
  ///
  /// - Parameter transform: Makes the stream that replaces the failure.
  @inlinable public func flatMapError<Inner: SignalProducerConvertible>(
    _ transform: @escaping (Failure) -> Inner
  ) -> SignalProducer<Value, Inner.Error> where Inner.Value == Value {
    continued { $0.replacingError { transform($0).producer } }
  }

  /// All values and, if this producer fails, the events of another instead.
  ///
  /// RAC's `catchTo:`.
  @inlinable public func catchTo<F>(_ replacement: SignalProducer<Value, F>) -> SignalProducer<Value, F> {
    flatMapError { _ in replacement }
  }

  /// All values and, if this producer fails, one more in place of the failure; then it completes.
  ///
  /// Rx's `catchAndReturn`.
  @inlinable public func catchAndReturn(_ value: Value) -> SignalProducer<Value, Never> {
    flatMapError { _ in SignalProducer<Value, Never>(value: value) }
  }
}
