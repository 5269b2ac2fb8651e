/// A recipe for signals: each start does the work anew and sends to its own observer.
///
/// A run's events are `value* (failed | completed | interrupted)?`, one at a time from whatever threads they come.
/// Disposing of a run interrupts it: its observer gets `interrupted` and nothing else, and what the run holds is let go.
public struct SignalProducer<Value, Failure: Error> {
  /// Begins the work of a run, which sends to the observer within the run's domain.
  @usableFromInline let begin: (Observer, Run) -> Void

  @inlinable @inline(__always) init(begin: @escaping (Observer, Run) -> Void) { self.begin = begin }

  /// What is done with the events of a run.
  public typealias Observer = ReactiveCore.Observer<Value, Failure>

  /// What a run sends.
  public typealias Event = ReactiveCore.Event<Value, Failure>

  /// The signal of a run.
  public typealias ProducedSignal = Signal<Value, Failure>
}

/// A producer may be started on any thread; see `Signal` about values and closures.
extension SignalProducer: @unchecked Sendable {}
