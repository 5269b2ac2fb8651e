/// An operator that works within its source's domain: given its downstream, it makes the observer of the source.
///
/// One implementation serves `Signal` and `SignalProducer`, through their `apply` methods.
@usableFromInline protocol Operator {
  associatedtype Input
  associatedtype Failure: Error
  associatedtype Output = Input
  associatedtype OutputFailure: Error = Failure

  /// Returns the observer of the source; called once per derived signal, once per run of a producer.
  func observer<Downstream: Receiver<Output, OutputFailure>>(for downstream: Downstream) -> Observer<Input, Failure>
}

/// An operator with a domain of its own, since a timer or another thread makes it send as well as its source.
@usableFromInline package protocol ScopedOperator {
  associatedtype Input
  associatedtype Failure: Error
  associatedtype Output = Input
  associatedtype OutputFailure: Error = Failure

  /// The scheduler that delivers the operator's events, if any; it also delivers the interruption of a disposed run.
  var deliverer: (any Scheduler)? { get }

  /// Returns the observer of the source, to be called within `scope`. Other triggers run in `scope` and are held by its
  /// resources.
  func observer<Downstream: Receiver<Output, OutputFailure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure>
}

extension ScopedOperator {
  @usableFromInline package var deliverer: (any Scheduler)? { nil }

  /// Returns the receiver of a run's interruption, given its downstream.
  @inlinable func head(over downstream: any Interruptible) -> any Interruptible {
    if let deliverer { ScheduledHead(downstream, on: deliverer) } else { downstream }
  }
}

/// An operator over two sources, each in a domain of its own.
@usableFromInline protocol Join {
  associatedtype Left
  associatedtype LeftFailure: Error
  associatedtype Right
  associatedtype RightFailure: Error
  associatedtype Output
  associatedtype OutputFailure: Error = LeftFailure

  /// True if the right source is started before the left one, which matters if both send at once.
  static var startsRightFirst: Bool { get }

  /// Returns the observers of the two sources, to be called within `scope`.
  func observers<Downstream: Receiver<Output, OutputFailure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Left, LeftFailure>, Observer<Right, RightFailure>)
}

/// An operator over any number of sources of one type, each in a domain of its own.
@usableFromInline protocol CollectionJoin {
  associatedtype Input
  associatedtype Failure: Error
  associatedtype Output

  /// Returns the observers of the sources, in their order, to be called within one scope.
  func observers<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream, count: Int
  ) -> [Observer<Input, Failure>]
}
