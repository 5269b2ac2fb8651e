@inlinable @inline(__always) func skipping<Value, Failure>(
  while shouldContinue: @escaping (Value) -> Bool, inclusive: Bool
) -> ScanMap<Value, Bool, Value, Failure> {
  ScanMap(true) { isSkipping, value in
    guard isSkipping else { return value }
    isSkipping = shouldContinue(value)
    return isSkipping || inclusive ? nil : value
  }
}

extension Signal {
  /// The values from the first on that does not match, or after that one if `inclusive`.
  ///
  /// - Parameters:
  ///   - shouldContinue: The test; it is not called again after the first mismatch.
  ///   - inclusive: Pass `true` to drop the first value that does not match as well.
  @inlinable public func skip(
    while shouldContinue: @escaping (Value) -> Bool, inclusive: Bool = false
  ) -> Signal<Value, Failure> {
    apply(skipping(while: shouldContinue, inclusive: inclusive))
  }
}

extension SignalProducer {
  /// The values from the first on that does not match, or after that one if `inclusive`.
  ///
  /// - Parameters:
  ///   - shouldContinue: The test; it is not called again after the first mismatch.
  ///   - inclusive: Pass `true` to drop the first value that does not match as well.
  @inlinable public func skip(
    while shouldContinue: @escaping (Value) -> Bool, inclusive: Bool = false
  ) -> SignalProducer<Value, Failure> {
    apply(skipping(while: shouldContinue, inclusive: inclusive))
  }
}
