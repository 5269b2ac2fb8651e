@usableFromInline struct Take<Input, Failure: Error>: Operator {
  @usableFromInline let count: Int

  @inlinable init(_ count: Int) { self.count = count }

  @inlinable func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(
      link: Link(count, downstream),
      value: { link, value in
        guard link.memory > 0 else { return }
        link.memory -= 1
        link.downstream.receive(value)
        if link.memory == 0 { link.downstream.end(.completed) }
      },
      ending: { $0.downstream.end($1) })
  }
}

extension Signal {
  /// The first `count` values; completes with the last of them.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable public func take(first count: Int) -> Signal<Value, Failure> {
    precondition(count >= 0, "a count of values cannot be negative")
    return count == 0 ? .empty : apply(Take(count))
  }
}

extension SignalProducer {
  /// The first `count` values; completes with the last of them.
  ///
  /// With a `count` of 0, a run is interrupted at once and starts nothing, as in ReactiveSwift.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable public func take(first count: Int) -> SignalProducer<Value, Failure> {
    precondition(count >= 0, "a count of values cannot be negative")
    return count == 0 ? SignalProducer(known: { .ending(.interrupted) }) : apply(Take(count))
  }
}
