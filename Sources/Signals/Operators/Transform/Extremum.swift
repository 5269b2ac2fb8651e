/// Keeps the value that is first in an order, the earliest of equal ones.
@inlinable func keepingFirst<Value, Failure>(
  by isBefore: @escaping (Value, Value) -> Bool
) -> Fold<Value, Value?, Value, Failure> {
  Fold(
    nil,
    { best, value in
      if let current = best, !isBefore(value, current) { return }
      best = value
    }, finish: { $0 })
}

extension Signal {
  /// The smallest value, when this signal completes; nothing if there was no value.
  @inlinable public func min(by isLess: @escaping (Value, Value) -> Bool) -> Signal<Value, Failure> {
    apply(keepingFirst(by: isLess))
  }

  /// The greatest value, when this signal completes; nothing if there was no value.
  @inlinable public func max(by isLess: @escaping (Value, Value) -> Bool) -> Signal<Value, Failure> {
    apply(keepingFirst { isLess($1, $0) })
  }
}

extension Signal where Value: Comparable {
  /// The smallest value, when this signal completes; nothing if there was no value.
  @inlinable public func min() -> Signal<Value, Failure> { min { $0 < $1 } }

  /// The greatest value, when this signal completes; nothing if there was no value.
  @inlinable public func max() -> Signal<Value, Failure> { max { $0 < $1 } }
}

extension SignalProducer {
  /// The smallest value, when this producer completes; nothing if there was no value.
  @inlinable public func min(by isLess: @escaping (Value, Value) -> Bool) -> SignalProducer<Value, Failure> {
    apply(keepingFirst(by: isLess))
  }

  /// The greatest value, when this producer completes; nothing if there was no value.
  @inlinable public func max(by isLess: @escaping (Value, Value) -> Bool) -> SignalProducer<Value, Failure> {
    apply(keepingFirst { isLess($1, $0) })
  }
}

extension SignalProducer where Value: Comparable {
  /// The smallest value, when this producer completes; nothing if there was no value.
  @inlinable public func min() -> SignalProducer<Value, Failure> { min { $0 < $1 } }

  /// The greatest value, when this producer completes; nothing if there was no value.
  @inlinable public func max() -> SignalProducer<Value, Failure> { max { $0 < $1 } }
}
