/// Emits a value unless it equals the previous one, the first unless it equals `first`.
@inlinable @inline(__always) func skippingRepeats<Value, Failure>(
  after first: Value? = nil, by isEquivalent: @escaping (Value, Value) -> Bool
) -> ScanMap<Value, Value?, Value, Failure> {
  ScanMap(first) { last, value in
    if let last, isEquivalent(last, value) { return nil }
    last = value
    return value
  }
}

/// Emits a value unless its key equals that of the previous one.
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
  /// The values that differ from the previous one.
  @inlinable @inline(__always)
  public func skipRepeats(_ isEquivalent: @escaping (Value, Value) -> Bool) -> Signal<Value, Failure> {
    apply(skippingRepeats(by: isEquivalent))
  }

  /// The values whose key differs from that of the previous one.
  @inlinable public func skipRepeats<Key: Equatable>(by key: @escaping (Value) -> Key) -> Signal<Value, Failure> {
    apply(skippingRepeats(of: key))
  }
}

extension Signal {
  /// The values that differ from the previous one; `first` counts as the predecessor of the first.
  @inlinable @inline(__always) package func skipRepeats(
    after first: Value?, _ isEquivalent: @escaping (Value, Value) -> Bool
  ) -> Signal<Value, Failure> {
    apply(skippingRepeats(after: first, by: isEquivalent))
  }
}

extension Signal where Value: Equatable {
  /// The values that differ from the previous one.
  @inlinable @inline(__always) public func skipRepeats() -> Signal<Value, Failure> { skipRepeats { $0 == $1 } }
}

extension SignalProducer {
  /// The values that differ from the previous one.
  @inlinable @inline(__always)
  public func skipRepeats(_ isEquivalent: @escaping (Value, Value) -> Bool) -> SignalProducer<Value, Failure> {
    apply(skippingRepeats(by: isEquivalent))
  }

  /// The values whose key differs from that of the previous one.
  @inlinable public func skipRepeats<Key: Equatable>(by key: @escaping (Value) -> Key) -> SignalProducer<Value, Failure>
  {
    apply(skippingRepeats(of: key))
  }
}

extension SignalProducer where Value: Equatable {
  /// The values that differ from the previous one.
  @inlinable @inline(__always) public func skipRepeats() -> SignalProducer<Value, Failure> { skipRepeats { $0 == $1 } }
}
