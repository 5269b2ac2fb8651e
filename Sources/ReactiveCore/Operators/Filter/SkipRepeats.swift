/// Lets a value through unless it equals the one before.
@inlinable @inline(__always) func skippingRepeats<Value, Failure>(
  by isEquivalent: @escaping (Value, Value) -> Bool
) -> ScanMap<Value, Value?, Value, Failure> {
  ScanMap(nil) { last, value in
    if let last, isEquivalent(last, value) { return nil }
    last = value
    return value
  }
}

/// Lets a value through unless its key equals that of the one before.
@inlinable @inline(__always) func skippingRepeats<Value, Key: Equatable, Failure>(
  of key: @escaping (Value) -> Key
) -> ScanMap<Value, Key?, Value, Failure> {
  ScanMap(nil) { last, value in
    let next = key(value)
    guard last != next else { return nil }
    last = next
    return value
  }
}

extension Signal {
  /// The values that differ from the one before.
  @inlinable @inline(__always)
  public func skipRepeats(_ isEquivalent: @escaping (Value, Value) -> Bool) -> Signal<Value, Failure> {
    apply(skippingRepeats(by: isEquivalent))
  }

  /// The values whose key differs from that of the one before.
  @inlinable public func skipRepeats<Key: Equatable>(by key: @escaping (Value) -> Key) -> Signal<Value, Failure> {
    apply(skippingRepeats(of: key))
  }
}

extension Signal where Value: Equatable {
  /// The values that differ from the one before.
  @inlinable @inline(__always) public func skipRepeats() -> Signal<Value, Failure> { skipRepeats { $0 == $1 } }
}

extension SignalProducer {
  /// The values that differ from the one before.
  @inlinable @inline(__always)
  public func skipRepeats(_ isEquivalent: @escaping (Value, Value) -> Bool) -> SignalProducer<Value, Failure> {
    apply(skippingRepeats(by: isEquivalent))
  }

  /// The values whose key differs from that of the one before.
  @inlinable public func skipRepeats<Key: Equatable>(by key: @escaping (Value) -> Key) -> SignalProducer<Value, Failure>
  {
    apply(skippingRepeats(of: key))
  }
}

extension SignalProducer where Value: Equatable {
  /// The values that differ from the one before.
  @inlinable @inline(__always) public func skipRepeats() -> SignalProducer<Value, Failure> { skipRepeats { $0 == $1 } }
}
