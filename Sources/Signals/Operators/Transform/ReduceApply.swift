extension Signal {
  /// The first part of each tuple, which is a function, applied to the other.
  @inlinable public func reduceApply<A, U>() -> Signal<U, Failure> where Value == ((A) -> U, A) { map { $0.0($0.1) } }

  /// The first part of each tuple, which is a function, applied to the other two.
  @inlinable public func reduceApply<A, B, U>() -> Signal<U, Failure> where Value == ((A, B) -> U, A, B) {
    map { $0.0($0.1, $0.2) }
  }

  /// The first part of each tuple, which is a function, applied to the other three.
  @inlinable public func reduceApply<A, B, C, U>() -> Signal<U, Failure> where Value == ((A, B, C) -> U, A, B, C) {
    map { $0.0($0.1, $0.2, $0.3) }
  }
}

extension SignalProducer {
  /// The first part of each tuple, which is a function, applied to the other.
  @inlinable public func reduceApply<A, U>() -> SignalProducer<U, Failure> where Value == ((A) -> U, A) {
    map { $0.0($0.1) }
  }

  /// The first part of each tuple, which is a function, applied to the other two.
  @inlinable public func reduceApply<A, B, U>() -> SignalProducer<U, Failure> where Value == ((A, B) -> U, A, B) {
    map { $0.0($0.1, $0.2) }
  }

  /// The first part of each tuple, which is a function, applied to the other three.
  @inlinable public func reduceApply<A, B, C, U>() -> SignalProducer<U, Failure>
  where Value == ((A, B, C) -> U, A, B, C) {
    map { $0.0($0.1, $0.2, $0.3) }
  }
}
