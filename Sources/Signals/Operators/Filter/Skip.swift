@inlinable @inline(__always) func skipping<Value, Failure>(
  first count: Int
) -> ScanMap<Value, Int, Value, Failure> {
  precondition(count >= 0, "a count of values cannot be negative")
  return ScanMap(count) { remaining, value in
    guard remaining > 0 else { return value }
    remaining -= 1
    return nil
  }
}

extension Signal {
  /// All values but the first `count`.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable public func skip(first count: Int) -> Signal<Value, Failure> { apply(skipping(first: count)) }
}

extension SignalProducer {
  /// All values but the first `count`.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable public func skip(first count: Int) -> SignalProducer<Value, Failure> { apply(skipping(first: count)) }
}
