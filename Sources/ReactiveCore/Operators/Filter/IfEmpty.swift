extension Signal {
  /// The same values, or `value` if this signal completes without any.
  @inlinable public func defaultIfEmpty(_ value: Value) -> Signal<Value, Failure> {
    apply(
      StepMap(true) { isEmpty, value in
        isEmpty = false
        return .value(value)
      } finish: { isEmpty in
        isEmpty ? .value(value) : .skip
      })
  }

  /// The same values, or a failure if this signal completes without any.
  @inlinable public func failIfEmpty(raising error: Failure) -> Signal<Value, Failure> {
    apply(
      StepMap(true) { isEmpty, value in
        isEmpty = false
        return .value(value)
      } finish: { isEmpty in
        isEmpty ? .end(.failed(error)) : .skip
      })
  }
}

extension SignalProducer {
  /// The same values, or `value` if this producer completes without any.
  @inlinable public func defaultIfEmpty(_ value: Value) -> SignalProducer<Value, Failure> {
    apply(
      StepMap(true) { isEmpty, value in
        isEmpty = false
        return .value(value)
      } finish: { isEmpty in
        isEmpty ? .value(value) : .skip
      })
  }

  /// The same values, or a failure if this producer completes without any.
  @inlinable public func failIfEmpty(raising error: Failure) -> SignalProducer<Value, Failure> {
    apply(
      StepMap(true) { isEmpty, value in
        isEmpty = false
        return .value(value)
      } finish: { isEmpty in
        isEmpty ? .end(.failed(error)) : .skip
      })
  }
}
