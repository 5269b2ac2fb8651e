/// All values, and `instead` if the source completes without any.
@inlinable @inline(__always) func passing<Value, Failure>(
  orIfEmpty instead: @escaping () -> Step<Value, Failure>
) -> StepMap<Value, Bool, Value, Failure> {
  StepMap(true) { isEmpty, value in
    isEmpty = false
    return .value(value)
  } finish: { isEmpty in
    isEmpty ? instead() : .skip
  }
}

extension Signal {
  /// All values, or `value` if this signal completes without any.
  ///
  /// Rx's `defaultIfEmpty`.
  @inlinable public func defaultIfEmpty(_ value: Value) -> Signal<Value, Failure> {
    apply(passing { .value(value) })
  }

  /// All values, or a failure if this signal completes without any.
  @inlinable public func failIfEmpty(raising error: Failure) -> Signal<Value, Failure> {
    apply(passing { .end(.failed(error)) })
  }
}

extension SignalProducer {
  /// All values, or `value` if this producer completes without any.
  ///
  /// Rx's `defaultIfEmpty`.
  @inlinable public func defaultIfEmpty(_ value: Value) -> SignalProducer<Value, Failure> {
    apply(passing { .value(value) })
  }

  /// All values, or a failure if this producer completes without any.
  @inlinable public func failIfEmpty(raising error: Failure) -> SignalProducer<Value, Failure> {
    apply(passing { .end(.failed(error)) })
  }
}
