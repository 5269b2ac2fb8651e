@inlinable @inline(__always) func folding<Value, U, Failure>(
  _ initialResult: U, _ next: @escaping (inout U, Value) -> Void
) -> ScanMap<Value, U, U, Failure> {
  ScanMap(initialResult) { state, value in
    next(&state, value)
    return state
  }
}

extension Signal {
  /// A fold that emits its state after each value.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Makes the next state from the state and a value.
  @inlinable @inline(__always)
  public func scan<U>(_ initialResult: U, _ next: @escaping (U, Value) -> U) -> Signal<U, Failure> {
    scan(into: initialResult) { $0 = next($0, $1) }
  }

  /// A fold that emits its state after each value and changes it in place.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Changes the state by a value.
  @inlinable @inline(__always)
  public func scan<U>(into initialResult: U, _ next: @escaping (inout U, Value) -> Void) -> Signal<U, Failure> {
    apply(folding(initialResult, next))
  }

  /// A fold whose step is also given the number of the value, counted from 0; see `scan`.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Makes the next state from the state, a value and its number.
  @inlinable public func scan<U>(
    _ initialResult: U, withIndex next: @escaping (U, Value, Int) -> U
  ) -> Signal<U, Failure> {
    enumerate().scan(initialResult) { next($0, $1.value, $1.index) }
  }
}

extension SignalProducer {
  /// A fold that emits its state after each value.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Makes the next state from the state and a value.
  @inlinable @inline(__always)
  public func scan<U>(_ initialResult: U, _ next: @escaping (U, Value) -> U) -> SignalProducer<U, Failure> {
    scan(into: initialResult) { $0 = next($0, $1) }
  }

  /// A fold that emits its state after each value and changes it in place.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Changes the state by a value.
  @inlinable @inline(__always)
  public func scan<U>(
    into initialResult: U, _ next: @escaping (inout U, Value) -> Void
  ) -> SignalProducer<U, Failure> {
    apply(folding(initialResult, next))
  }

  /// A fold whose step is also given the number of the value, counted from 0; see `scan`.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Makes the next state from the state, a value and its number.
  @inlinable public func scan<U>(
    _ initialResult: U, withIndex next: @escaping (U, Value, Int) -> U
  ) -> SignalProducer<U, Failure> {
    enumerate().scan(initialResult) { next($0, $1.value, $1.index) }
  }
}
