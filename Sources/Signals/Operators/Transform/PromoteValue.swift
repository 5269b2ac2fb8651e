/// Drops a value that is not wanted or cannot exist.
@inlinable func discard<Value, U>(_: Value) -> U? { nil }

extension Signal where Value == Never {
  /// This signal, which has no values, as one of another type.
  @inlinable public func promoteValue<U>(_: U.Type = U.self) -> Signal<U, Failure> { compactMap(discard) }
}

extension SignalProducer where Value == Never {
  /// This producer, which has no values, as one of another type.
  @inlinable public func promoteValue<U>(_: U.Type = U.self) -> SignalProducer<U, Failure> { compactMap(discard) }
}
