/// Holds the last values, up to a count, until the source completes.
@usableFromInline struct TakeLast<Input, Failure: Error>: Operator {
  private let count: Int

  @usableFromInline init(_ count: Int) {
    precondition(count >= 0, "a count of values cannot be negative")
    self.count = count
  }

  @usableFromInline func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(
      link: Link(Fifo<Input>(), downstream),
      value: { link, value in
        link.memory.append(value)
        if link.memory.count > count { _ = link.memory.popFirst() }
      },
      ending: { link, ending in
        if case .completed = ending { link.memory.forEach(link.downstream.receive) }
        link.memory.removeAll()
        link.downstream.end(ending)
      })
  }
}

extension Signal {
  /// The last `count` values, or all if there are fewer, when this signal completes.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable public func take(last count: Int) -> Signal<Value, Failure> { apply(TakeLast(count)) }
}

extension SignalProducer {
  /// The last `count` values, or all if there are fewer, when this producer completes.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable public func take(last count: Int) -> SignalProducer<Value, Failure> { apply(TakeLast(count)) }
}
