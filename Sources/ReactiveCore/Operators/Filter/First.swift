extension Signal {
  /// The first value that fits; then it completes.
  @inlinable public func first(where isIncluded: @escaping (Value) -> Bool) -> Signal<Value, Failure> {
    apply(StepMap(()) { _, value in isIncluded(value) ? .last(value) : .skip })
  }

  /// The number, counted from 0, of the first value that fits; then it completes.
  @inlinable public func firstIndex(where isIncluded: @escaping (Value) -> Bool) -> Signal<Int, Failure> {
    apply(
      StepMap(0) { index, value in
        defer { index += 1 }
        return isIncluded(value) ? .last(index) : .skip
      })
  }

  /// The last value that fits, when this signal completes.
  @inlinable public func last(where isIncluded: @escaping (Value) -> Bool) -> Signal<Value, Failure> {
    apply(Fold(nil as Value?, { if isIncluded($1) { $0 = $1 } }, finish: { $0 }))
  }

  /// The value with this number, counted from 0; then it completes.
  @inlinable public func element(at index: Int) -> Signal<Value, Failure> {
    precondition(index >= 0, "the number of a value cannot be negative")
    return apply(
      StepMap(index) { remaining, value in
        guard remaining == 0 else {
          remaining -= 1
          return .skip
        }
        return .last(value)
      })
  }
}

extension SignalProducer {
  /// The first value that fits; then it completes.
  @inlinable public func first(where isIncluded: @escaping (Value) -> Bool) -> SignalProducer<Value, Failure> {
    apply(StepMap(()) { _, value in isIncluded(value) ? .last(value) : .skip })
  }

  /// The number, counted from 0, of the first value that fits; then it completes.
  @inlinable public func firstIndex(where isIncluded: @escaping (Value) -> Bool) -> SignalProducer<Int, Failure> {
    apply(
      StepMap(0) { index, value in
        defer { index += 1 }
        return isIncluded(value) ? .last(index) : .skip
      })
  }

  /// The last value that fits, when this producer completes.
  @inlinable public func last(where isIncluded: @escaping (Value) -> Bool) -> SignalProducer<Value, Failure> {
    apply(Fold(nil as Value?, { if isIncluded($1) { $0 = $1 } }, finish: { $0 }))
  }

  /// The value with this number, counted from 0; then it completes.
  @inlinable public func element(at index: Int) -> SignalProducer<Value, Failure> {
    precondition(index >= 0, "the number of a value cannot be negative")
    return apply(
      StepMap(index) { remaining, value in
        guard remaining == 0 else {
          remaining -= 1
          return .skip
        }
        return .last(value)
      })
  }
}
