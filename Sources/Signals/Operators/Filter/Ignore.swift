extension Signal {
  /// The ending alone.
  @inlinable public func ignoreValues() -> Signal<Never, Failure> { compactMap(discard) }
}

extension Signal where Value: Equatable {
  /// The values that do not equal `value`.
  ///
  /// RAC's `ignore:`.
  @inlinable public func ignore(_ value: Value) -> Signal<Value, Failure> { filter { $0 != value } }
}

extension SignalProducer {
  /// The ending alone.
  @inlinable public func ignoreValues() -> SignalProducer<Never, Failure> { compactMap(discard) }
}

extension SignalProducer where Value: Equatable {
  /// The values that do not equal `value`.
  ///
  /// RAC's `ignore:`.
  @inlinable public func ignore(_ value: Value) -> SignalProducer<Value, Failure> { filter { $0 != value } }
}
