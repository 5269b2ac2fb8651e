extension Signal {
  /// A fold that emits its state once, when this signal completes.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Makes the next state from the state and a value.
  @inlinable @inline(__always)
  public func reduce<U>(_ initialResult: U, _ next: @escaping (U, Value) -> U) -> Signal<U, Failure> {
    apply(Fold(initialResult, { $0 = next($0, $1) }, finish: { $0 }))
  }

  /// A fold that changes its state in place and emits it once, when this signal completes.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Changes the state by a value.
  @inlinable @inline(__always)
  public func reduce<U>(into initialResult: U, _ next: @escaping (inout U, Value) -> Void) -> Signal<U, Failure> {
    apply(Fold(initialResult, { next(&$0, $1) }, finish: { $0 }))
  }

  /// A fold whose step is also given the number of the value, counted from 0; see `reduce`.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Makes the next state from the state, a value and its number.
  @inlinable public func reduce<U>(
    _ initialResult: U, withIndex next: @escaping (U, Value, Int) -> U
  ) -> Signal<U, Failure> {
    enumerate().reduce(initialResult) { next($0, $1.value, $1.index) }
  }

  /// A fold whose state begins with the result of `makeInitial`, called for each run; see `reduce`.
  ///
  /// - Parameters:
  ///   - makeInitial: Makes the state before the first value.
  ///   - next: Makes the next state from the state and a value.
  @inlinable public func reduce<U>(
    startingWith makeInitial: @escaping () -> U, _ next: @escaping (U, Value) -> U
  ) -> Signal<U, Failure> {
    apply(Fold(nil as U?, { $0 = next($0 ?? makeInitial(), $1) }, finish: { $0 ?? makeInitial() }))
  }
}

extension SignalProducer {
  /// A fold that emits its state once, when this producer completes.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Makes the next state from the state and a value.
  @inlinable @inline(__always)
  public func reduce<U>(_ initialResult: U, _ next: @escaping (U, Value) -> U) -> SignalProducer<U, Failure> {
    apply(Fold(initialResult, { $0 = next($0, $1) }, finish: { $0 }))
  }

  /// A fold that changes its state in place and emits it once, when this producer completes.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Changes the state by a value.
  @inlinable @inline(__always)
  public func reduce<U>(into initialResult: U, _ next: @escaping (inout U, Value) -> Void) -> SignalProducer<U, Failure>
  {
    apply(Fold(initialResult, { next(&$0, $1) }, finish: { $0 }))
  }

  /// A fold whose step is also given the number of the value, counted from 0; see `reduce`.
  ///
  /// - Parameters:
  ///   - initialResult: The state before the first value.
  ///   - next: Makes the next state from the state, a value and its number.
  @inlinable public func reduce<U>(
    _ initialResult: U, withIndex next: @escaping (U, Value, Int) -> U
  ) -> SignalProducer<U, Failure> {
    enumerate().reduce(initialResult) { next($0, $1.value, $1.index) }
  }

  /// A fold whose state begins with the result of `makeInitial`, called for each run; see `reduce`.
  ///
  /// - Parameters:
  ///   - makeInitial: Makes the state before the first value.
  ///   - next: Makes the next state from the state and a value.
  @inlinable public func reduce<U>(
    startingWith makeInitial: @escaping () -> U, _ next: @escaping (U, Value) -> U
  ) -> SignalProducer<U, Failure> {
    apply(Fold(nil as U?, { $0 = next($0 ?? makeInitial(), $1) }, finish: { $0 ?? makeInitial() }))
  }
}
