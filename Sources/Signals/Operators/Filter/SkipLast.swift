func skipping<Value, Failure>(last count: Int) -> ScanMap<Value, Fifo<Value>, Value, Failure> {
  precondition(count >= 0, "a count of values cannot be negative")
  return ScanMap(Fifo()) { held, value in
    held.append(value)
    return held.count > count ? held.popFirst() : nil
  }
}

extension Signal {
  /// All values but the last `count`: each is emitted once that many have followed it.
  ///
  /// - Precondition: `count` is not negative.
  public func skip(last count: Int) -> Signal<Value, Failure> { apply(skipping(last: count)) }
}

extension SignalProducer {
  /// All values but the last `count`: each is emitted once that many have followed it.
  ///
  /// - Precondition: `count` is not negative.
  public func skip(last count: Int) -> SignalProducer<Value, Failure> { apply(skipping(last: count)) }
}
