extension SignalProducer {
  /// The producer that an operator makes of this one; its work takes part in the run's domain.
  @inlinable @inline(__always) func apply<Op: Operator>(_ operation: Op) -> SignalProducer<Op.Output, Op.OutputFailure>
  where Op.Input == Value, Op.Failure == Failure {
    SignalProducer<Op.Output, Op.OutputFailure>(begin: { [begin] observer, run in
      // The last operator of a chain sends straight to the run's terminal.
      if let terminal = Terminal.taken(from: observer) {
        begin(operation.observer(for: terminal), run)
      } else {
        begin(operation.observer(for: Relay(observer)), run)
      }
    })
  }

  /// The producer that an operator makes of this one; the source runs in a domain of its own.
  @inlinable package func apply<Op: ScopedOperator>(_ operation: Op) -> SignalProducer<Op.Output, Op.OutputFailure>
  where Op.Input == Value, Op.Failure == Failure {
    SignalProducer<Op.Output, Op.OutputFailure>(begin: { observer, run in
      let relay = Relay(observer)
      guard run.begin(with: operation.head(over: relay)) else { return }
      feed(operation.observer(for: relay, in: run), in: run)
    })
  }

  /// The producer that an operator makes of this one and another.
  @inlinable func apply<Op: Join>(
    _ operation: Op, with other: SignalProducer<Op.Right, Op.RightFailure>
  ) -> SignalProducer<Op.Output, Op.OutputFailure> where Op.Left == Value, Op.LeftFailure == Failure {
    SignalProducer<Op.Output, Op.OutputFailure>(begin: { observer, run in
      let relay = Relay(observer)
      guard run.begin(with: relay) else { return }
      let (left, right) = operation.observers(for: relay, in: run)
      if Op.startsRightFirst { other.feed(right, in: run) }
      feed(left, in: run)
      if !Op.startsRightFirst { other.feed(right, in: run) }
    })
  }

  /// The producer that an operator makes of any number of producers; completed if there are none.
  @inlinable static func apply<Op: CollectionJoin>(
    _ operation: Op, to producers: [SignalProducer]
  ) -> SignalProducer<Op.Output, Failure> where Op.Input == Value, Op.Failure == Failure {
    guard !producers.isEmpty else { return .empty }
    return SignalProducer<Op.Output, Failure>(begin: { observer, run in
      let relay = Relay(observer)
      guard run.begin(with: relay) else { return }
      let observers = operation.observers(for: relay, count: producers.count)
      for (producer, observer) in Swift.zip(producers, observers) { producer.feed(observer, in: run) }
    })
  }

  /// Returns a producer whose runs are fed by the starts of `connect`.
  @inlinable static func joined(_ connect: @escaping (Relay<Value, Failure>, Run) -> Void) -> SignalProducer {
    SignalProducer(begin: { observer, run in
      let relay = Relay(observer)
      if run.begin(with: relay) { connect(relay, run) }
    })
  }
}
