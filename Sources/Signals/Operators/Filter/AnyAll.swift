/// Emits `verdict` at the first match, or its opposite if the source completes without one.
@inlinable @inline(__always) func deciding<Value, Failure>(
  _ verdict: Bool, where predicate: @escaping (Value) -> Bool
) -> StepMap<Value, Void, Bool, Failure> {
  StepMap(()) { _, value in
    predicate(value) ? .last(verdict) : .skip
  } finish: {
    .value(!verdict)
  }
}

extension Signal {
  /// True at the first value that matches, or false when this signal completes without one; then it completes.
  @inlinable public func any(where predicate: @escaping (Value) -> Bool) -> Signal<Bool, Failure> {
    apply(deciding(true, where: predicate))
  }

  /// True at the first value, or false when this signal completes without one; then it completes.
  @inlinable public func any() -> Signal<Bool, Failure> { any { _ in true } }

  /// False at the first value that does not match, or true when this signal completes without one; then it completes.
  @inlinable public func all(where predicate: @escaping (Value) -> Bool) -> Signal<Bool, Failure> {
    apply(deciding(false) { !predicate($0) })
  }

  /// False at the first value, or true when this signal completes without one; then it completes.
  @inlinable public func isEmpty() -> Signal<Bool, Failure> { all { _ in false } }
}

extension SignalProducer {
  /// True at the first value that matches, or false when this producer completes without one; then it completes.
  @inlinable public func any(where predicate: @escaping (Value) -> Bool) -> SignalProducer<Bool, Failure> {
    apply(deciding(true, where: predicate))
  }

  /// True at the first value, or false when this producer completes without one; then it completes.
  @inlinable public func any() -> SignalProducer<Bool, Failure> { any { _ in true } }

  /// False at the first value that does not match, or true when this producer completes without one; then it completes.
  @inlinable public func all(where predicate: @escaping (Value) -> Bool) -> SignalProducer<Bool, Failure> {
    apply(deciding(false) { !predicate($0) })
  }

  /// False at the first value, or true when this producer completes without one; then it completes.
  @inlinable public func isEmpty() -> SignalProducer<Bool, Failure> { all { _ in false } }
}
