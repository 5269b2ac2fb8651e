@inlinable @inline(__always) func combiningPrevious<Value, Failure>(
  _ initial: Value?
) -> ScanMap<Value, Value?, (Value, Value), Failure> {
  ScanMap(initial) { previous, value in
    let pair = previous.map { ($0, value) }
    previous = value
    return pair
  }
}

extension Signal {
  /// Each value paired with the one before it; the first after `initial`.
  @inlinable public func combinePrevious(_ initial: Value) -> Signal<(Value, Value), Failure> {
    apply(combiningPrevious(initial))
  }

  /// Each value but the first, paired with the one before it.
  @inlinable public func combinePrevious() -> Signal<(Value, Value), Failure> { apply(combiningPrevious(nil)) }
}

extension SignalProducer {
  /// Each value paired with the one before it; the first after `initial`.
  @inlinable public func combinePrevious(_ initial: Value) -> SignalProducer<(Value, Value), Failure> {
    apply(combiningPrevious(initial))
  }

  /// Each value but the first, paired with the one before it.
  @inlinable public func combinePrevious() -> SignalProducer<(Value, Value), Failure> { apply(combiningPrevious(nil)) }
}
