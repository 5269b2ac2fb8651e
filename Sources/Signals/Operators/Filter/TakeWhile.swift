@inlinable @inline(__always) func taking<Value, Failure>(
  while shouldContinue: @escaping (Value) -> Bool, inclusive: Bool
) -> StepMap<Value, Void, Value, Failure> {
  StepMap(()) { _, value in
    if shouldContinue(value) { .value(value) } else if inclusive { .last(value) } else { .end(.completed) }
  }
}

extension Signal {
  /// The values up to the first that does not match, and that one too if `inclusive`; then it completes.
  ///
  /// - Parameters:
  ///   - shouldContinue: The test.
  ///   - inclusive: Pass `true` to emit the first value that does not match before the completion.
  @inlinable public func take(
    while shouldContinue: @escaping (Value) -> Bool, inclusive: Bool = false
  ) -> Signal<Value, Failure> {
    apply(taking(while: shouldContinue, inclusive: inclusive))
  }

  /// The values up to and with the first for which `shouldContinue` is false; then it completes.
  @inlinable public func take(until shouldContinue: @escaping (Value) -> Bool) -> Signal<Value, Failure> {
    take(while: shouldContinue, inclusive: true)
  }
}

extension SignalProducer {
  /// The values up to the first that does not match, and that one too if `inclusive`; then it completes.
  ///
  /// - Parameters:
  ///   - shouldContinue: The test.
  ///   - inclusive: Pass `true` to emit the first value that does not match before the completion.
  @inlinable public func take(
    while shouldContinue: @escaping (Value) -> Bool, inclusive: Bool = false
  ) -> SignalProducer<Value, Failure> {
    apply(taking(while: shouldContinue, inclusive: inclusive))
  }

  /// The values up to and with the first for which `shouldContinue` is false; then it completes.
  @inlinable public func take(until shouldContinue: @escaping (Value) -> Bool) -> SignalProducer<Value, Failure> {
    take(while: shouldContinue, inclusive: true)
  }
}
