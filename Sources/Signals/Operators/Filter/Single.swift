@inlinable func requiringSingle<Value, Failure>(
  ifEmpty empty: Failure, ifMore more: Failure
) -> StepMap<Value, Value?, Value, Failure> {
  StepMap(nil) { held, value in
    guard held == nil else { return .end(.failed(more)) }
    held = value
    return .skip
  } finish: { held in
    if let held { .value(held) } else { .end(.failed(empty)) }
  }
}

extension Signal {
  /// The only value, when this signal completes; fails without a value, or as soon as there are two.
  ///
  /// - Parameters:
  ///   - empty: The error if there is no value.
  ///   - more: The error at a second value.
  @inlinable public func single(ifEmpty empty: Failure, ifMore more: Failure) -> Signal<Value, Failure> {
    apply(requiringSingle(ifEmpty: empty, ifMore: more))
  }
}

extension SignalProducer {
  /// The only value, when this producer completes; fails without a value, or as soon as there are two.
  ///
  /// - Parameters:
  ///   - empty: The error if there is no value.
  ///   - more: The error at a second value.
  @inlinable public func single(ifEmpty empty: Failure, ifMore more: Failure) -> SignalProducer<Value, Failure> {
    apply(requiringSingle(ifEmpty: empty, ifMore: more))
  }
}
