@inlinable @inline(__always) func enumerating<Value, Failure>() -> ScanMap<
  Value, Int, (index: Int, value: Value), Failure
> {
  ScanMap(0) { index, value in
    defer { index += 1 }
    return (index, value)
  }
}

extension Signal {
  /// Each value with its number, counted from 0.
  @inlinable @inline(__always) public func enumerate() -> Signal<(index: Int, value: Value), Failure> {
    apply(enumerating())
  }
}

extension SignalProducer {
  /// Each value with its number, counted from 0.
  @inlinable @inline(__always) public func enumerate() -> SignalProducer<(index: Int, value: Value), Failure> {
    apply(enumerating())
  }
}
