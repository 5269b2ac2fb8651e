@inlinable func casting<Value, U, Failure>(
  to type: U.Type, raising error: Failure
) -> StepMap<Value, Void, U, Failure> {
  StepMap(()) { _, value in
    if let converted = value as? U { .value(converted) } else { .end(.failed(error)) }
  }
}

extension Signal {
  /// Each value as one of another type; fails with `error` at the first that cannot be cast.
  ///
  /// - Parameters:
  ///   - type: The type to cast to.
  ///   - error: The error at a value that is not of that type.
  @inlinable public func cast<U>(to type: U.Type, raising error: Failure) -> Signal<U, Failure> {
    apply(casting(to: type, raising: error))
  }
}

extension SignalProducer {
  /// Each value as one of another type; fails with `error` at the first that cannot be cast.
  ///
  /// - Parameters:
  ///   - type: The type to cast to.
  ///   - error: The error at a value that is not of that type.
  @inlinable public func cast<U>(to type: U.Type, raising error: Failure) -> SignalProducer<U, Failure> {
    apply(casting(to: type, raising: error))
  }
}
