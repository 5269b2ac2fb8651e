extension Signal {
  /// A fold that sends its state after each value.
  @inlinable @inline(__always)
  public func scan<U>(_ initialResult: U, _ next: @escaping (U, Value) -> U) -> Signal<U, Failure> {
    apply(
      ScanMap(initialResult) { state, value in
        state = next(state, value)
        return state
      })
  }

  /// A fold that sends its state after each value and changes it in place.
  @inlinable @inline(__always)
  public func scan<U>(into initialResult: U, _ next: @escaping (inout U, Value) -> Void) -> Signal<U, Failure> {
    apply(
      ScanMap(initialResult) { state, value in
        next(&state, value)
        return state
      })
  }
}

extension SignalProducer {
  /// A fold that sends its state after each value.
  @inlinable @inline(__always)
  public func scan<U>(_ initialResult: U, _ next: @escaping (U, Value) -> U) -> SignalProducer<U, Failure> {
    apply(
      ScanMap(initialResult) { state, value in
        state = next(state, value)
        return state
      })
  }

  /// A fold that sends its state after each value and changes it in place.
  @inlinable @inline(__always)
  public func scan<U>(
    into initialResult: U, _ next: @escaping (inout U, Value) -> Void
  ) -> SignalProducer<U, Failure> {
    apply(
      ScanMap(initialResult) { state, value in
        next(&state, value)
        return state
      })
  }
}
