/// A recipe for signals: each start repeats the work and sends to its own observer.
///
/// A run's events are `value* (failed | completed | interrupted)?`, serialised across threads. Disposing of a run
/// interrupts it: its observer gets `interrupted` and nothing else, and its resources are released.
public struct SignalProducer<Value, Failure: Error> {
  /// Begins the work of a run, which sends to the observer within the run's domain.
  ///
  /// A stored closure: behind a choice of several, the compiler would not fuse a chain of operators.
  @usableFromInline package let begin: (Observer, Run) -> Void

  /// The events of a run, if known in advance: operators that start runs need not start one for them.
  ///
  /// A closure, which is cheap to copy and release; an enumeration of generic values costs type look-ups.
  @usableFromInline let known: (() -> Known)?

  /// The complete events of a run.
  @usableFromInline enum Known {
    /// A value, then completion.
    case value(Value)
    /// Nothing but an ending.
    case ending(Ending<Failure>)
    /// The events of a signal from then on.
    case signal(Signal<Value, Failure>)
  }

  // Disfavoured, so that a closure behind `SignalProducer` is what it is for programs: the work of a run.
  @_disfavoredOverload @inlinable @inline(__always) package init(begin: @escaping (Observer, Run) -> Void) {
    self.begin = begin
    known = nil
  }

  @inlinable @inline(__always) init(known: @escaping () -> Known) {
    self.known = known
    begin = { observer, run in
      switch known() {
      case .value(let value): SignalProducer.send(CollectionOfOne(value), to: observer, in: run)
      case .ending(let ending): SignalProducer.send(EmptyCollection(), to: observer, in: run, then: ending)
      case .signal(let signal): SignalProducer.follow(signal, to: observer, in: run)
      }
    }
  }

  /// Creates a producer of a signal's events; both closures capture nothing else, so that neither needs memory of its
  /// own.
  @inlinable @inline(__always) init(following signal: Signal<Value, Failure>) {
    known = { .signal(signal) }
    begin = { observer, run in SignalProducer.follow(signal, to: observer, in: run) }
  }

  /// Sends values and an ending, holding the run's domain throughout, so that a value costs a call.
  @inlinable @inline(__always) static func send<Values: Sequence<Value>>(
    _ values: Values, to observer: Observer, in run: Run, then ending: Ending<Failure> = .completed
  ) {
    // The domain is free now, unless the run is being interrupted.
    guard run.enter() else { return }
    for value in values {
      guard run.isLive else { break }
      observer.receive(value)
    }
    if run.isLive {
      observer.end(ending)
    } else if run.takeInterruption() {
      observer.end(.interrupted)
    }
    run.leave()
  }

  @inlinable static func follow(_ signal: Signal<Value, Failure>, to observer: Observer, in run: Run) {
    guard run.begin(with: observer) else { return }
    // The slot itself is held, since the run ends with the signal.
    let slot = Slot(observer.entering(run), node: signal.node)
    run.hold(slot)
    signal.node.place(slot)
  }

  /// An observer of a run.
  public typealias Observer = Signals.Observer<Value, Failure>

  /// An event of a run.
  public typealias Event = Signals.Event<Value, Failure>

  /// The signal of a run.
  public typealias ProducedSignal = Signal<Value, Failure>
}

/// A producer may be started on any thread; see `Signal` about values and closures.
extension SignalProducer: @unchecked Sendable {}
