public import CThread

/// The place that an operator sends to: the node of a derived signal, or the next observer of a run.
///
/// Operators are generic over it, so that in a chain of signals the node is called directly and not through a closure.
@usableFromInline protocol Receiver<Value, Failure>: AnyObject {
  associatedtype Value
  associatedtype Failure: Error

  /// Takes a value; the domain is held.
  func receive(_ value: Value)

  /// Takes the ending; the domain is held.
  func end(_ ending: Ending<Failure>)

  /// Lets another operator take this place: the one that sent here is done.
  func giveBack()
}

extension Receiver {
  @inlinable func giveBack() {}
}

/// An operator that works within its source's domain: given what is downstream, it makes what the source sends to.
///
/// One implementation serves `Signal` and `SignalProducer`, whose `apply` are the two ways in.
@usableFromInline protocol Operator {
  associatedtype Input
  associatedtype Failure: Error
  associatedtype Output = Input
  associatedtype OutputFailure: Error = Failure

  /// The observer of the source; asked for once per derived signal, once per run of a producer.
  func observer<Downstream: Receiver<Output, OutputFailure>>(for downstream: Downstream) -> Observer<Input, Failure>
}

/// An operator with a domain of its own, since not only its source makes it send: a timer does, or another thread.
@usableFromInline protocol ScopedOperator {
  associatedtype Input
  associatedtype Failure: Error
  associatedtype Output = Input
  associatedtype OutputFailure: Error = Failure

  /// The scheduler that the operator hands its events to, if any: it delivers the interruption of a disposed run, too.
  var deliverer: (any Scheduler)? { get }

  /// The observer of the source, to be called within `scope`; whatever else makes it send performs that in `scope`, and
  /// is held by the scope's resources.
  func observer<Downstream: Receiver<Output, OutputFailure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure>
}

extension ScopedOperator {
  @usableFromInline var deliverer: (any Scheduler)? { nil }

  /// The receiver of a run's interruption, given what is downstream.
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

  /// Whether the right source is started before the left one, which counts if both send at once.
  static var startsRightFirst: Bool { get }

  /// The observers of the two sources, to be called within `scope`.
  func observers<Downstream: Receiver<Output, OutputFailure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Left, LeftFailure>, Observer<Right, RightFailure>)
}

/// An operator over any number of sources of one type, each in a domain of its own.
@usableFromInline protocol CollectionJoin {
  associatedtype Input
  associatedtype Failure: Error
  associatedtype Output

  /// The observers of the sources, in their order, to be called within one scope.
  func observers<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream, count: Int
  ) -> [Observer<Input, Failure>]
}

/// The workspace of an operator that remembers something: its memory, and what is downstream.
///
/// The memory is touched only while the domain is held, so its exclusivity is proven; the run-time check would cost 2
/// to 4 ns an access, and may not be switched off for a captured local variable.
@usableFromInline final class Link<Memory, Downstream: Receiver> {
  @exclusivity(unchecked) @usableFromInline var memory: Memory
  @usableFromInline let downstream: Downstream

  @inlinable init(_ memory: Memory, _ downstream: Downstream) {
    self.memory = memory
    self.downstream = downstream
    if signalbox_present_keeper() != nil { PresentKeeper.enrol(self) }
  }
}
