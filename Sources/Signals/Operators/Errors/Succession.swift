/// The sequel to the ending of a stream.
///
/// Consists of closures, even where a value would do: generic values would cost type look-ups where this is stored.
@usableFromInline enum Sequel<Value, Failure: Error, OutputFailure: Error> {
  /// Continue with another producer, whose ending is decided on in turn.
  case follow(SignalProducer<Value, Failure>)
  /// Continue with a producer after a pause; indirect, so that the more frequent cases are not as large.
  indirect case followLater(SignalProducer<Value, Failure>, after: Duration, on: any DateScheduler)
  /// Continue with a producer whose ending ends the output.
  case replace(SignalProducer<Value, OutputFailure>)
  /// End the output.
  case end(with: () -> Ending<OutputFailure>)
  /// Wait until `resume` is called by the party that this closure notifies.
  case wait(for: () -> Void)

  @inlinable static func end(_ ending: Ending<OutputFailure>) -> Sequel {
    switch ending {
    case .completed: .end(with: { .completed })
    case .interrupted: .end(with: { .interrupted })
    case .failed(let error): .end(with: { .failed(error) })
    }
  }
}

/// Consecutive streams; the ending of each decides what follows.
///
/// A stream starts only after its predecessor has released its resources. A loop starts them, so that any number of
/// producers that end immediately takes no stack depth.
@usableFromInline
final class Succession<Failure: Error, Downstream: Receiver>: InnerReceiver, Disposable,
  @unchecked Sendable
{
  @usableFromInline typealias Value = Downstream.Value
  @usableFromInline typealias InnerFailure = Failure
  @usableFromInline typealias Inner = InnerRun<Succession>
  @usableFromInline typealias Next = Sequel<Downstream.Value, Failure, Downstream.Failure>

  @usableFromInline let scope: Scope
  @usableFromInline let downstream: Downstream
  @usableFromInline let following: (Ending<Failure>) -> Next

  @usableFromInline let lock = FutexLock()
  @exclusivity(unchecked) @usableFromInline var current: (any Disposable)?
  @exclusivity(unchecked) @usableFromInline var upcoming: Next?
  @exclusivity(unchecked) @usableFromInline var isAdvancing = false
  @exclusivity(unchecked) @usableFromInline var isWaiting = false
  @exclusivity(unchecked) @usableFromInline var isOver = false

  /// `following` is called with each ending, outside the domain.
  @inlinable init(
    _ downstream: Downstream, in scope: Scope, _ following: @escaping (Ending<Failure>) -> Next
  ) {
    self.scope = scope
    self.downstream = downstream
    self.following = following
    scope.hold(self)
  }

  @usableFromInline var isDisposed: Bool { lock.withLock { isOver } }

  @usableFromInline func dispose() {
    let last: (any Disposable)? = lock.withLock {
      isOver = true
      defer { current = nil }
      return current
    }
    last?.dispose()
  }

  @inlinable @inline(__always) func receive(_ value: Value, from run: Inner) { deliver(value, to: downstream) }

  @inlinable func end(_ ending: Ending<Failure>, of run: Inner) { advance(to: following(ending)) }

  @inlinable func hasBegunLater(_ run: Inner) {}

  /// The observer of a first stream that is not a run: a signal.
  @inlinable var first: Observer<Value, Failure> {
    Observer(
      link: self, value: { $0.deliver($1, to: $0.downstream) }, ending: { $0.advance(to: $0.following($1)) })
  }

  /// Starts the first stream, if it is a producer's; called once, before anything else can decide what follows.
  @inlinable func begin(with producer: SignalProducer<Value, Failure>) {
    isAdvancing = true
    carryOut(follow(producer))
  }

  /// Advances; if a caller is already doing so, it continues with this afterwards.
  @inlinable func advance(to next: Next) {
    let isFirst = lock.withLock {
      if isAdvancing { upcoming = next }
      defer { isAdvancing = true }
      return !isAdvancing
    }
    if isFirst { carryOut(next) }
  }

  /// Resumes with `next` if this waits for a decision.
  @inlinable func resume(with next: Next) {
    let hasWaited = lock.withLock {
      defer { isWaiting = false }
      return isWaiting
    }
    if hasWaited { advance(to: next) }
  }

  @inlinable func takeUpcoming() -> Next? {
    lock.withLock {
      guard let upcoming = upcoming.take() else {
        isAdvancing = false
        return nil
      }
      return upcoming
    }
  }
}

extension Succession {
  /// Executes `next` and all decisions that arise meanwhile, until nothing is left or the output belongs to its last
  /// producer.
  @inlinable func carryOut(_ next: Next?) {
    var next = next ?? takeUpcoming()
    while let present = next {
      switch present {
      case .follow(let producer): next = follow(producer)
      case .followLater(let producer, let delay, let scheduler):
        next = nil
        follow(producer, after: delay, on: scheduler)
      case .wait(let ask):
        next = nil
        lock.withLock { isWaiting = true }
        ask()
      case .replace(let producer): return replace(with: producer)
      case .end(with: let ending): return deliver(ending(), to: downstream)
      }
      next = next ?? takeUpcoming()
    }
  }

  @inlinable func follow(
    _ producer: SignalProducer<Value, Failure>, after delay: Duration, on scheduler: any DateScheduler
  ) {
    hold(scheduler.schedule(after: scheduler.currentDate + delay) { self.advance(to: .follow(producer)) })
  }

  /// Starts a producer; returns what follows if that is known at once.
  @inlinable func follow(_ producer: SignalProducer<Value, Failure>) -> Next? {
    // Events known in advance need no run, unless the value could not be delivered at once.
    switch producer.known?() {
    case .value(let value) where !scope.isHeldByCaller:
      deliver(value, to: downstream)
      return isDisposed ? nil : following(.completed)
    case .ending(let ending): return isDisposed ? nil : following(ending)
    default:
      let run = Inner(self)
      if hold(run) { begin(producer, as: run) }
      return nil
    }
  }

  @inlinable func replace(with producer: SignalProducer<Value, Downstream.Failure>) {
    switch producer.known?() {
    case .value(let value):
      deliver(value, to: downstream)
      deliver(.completed, to: downstream)
    case .ending(let ending): deliver(ending, to: downstream)
    default:
      if scope.isHeldByCaller { scope.afterwards { self.resume(with: producer) } } else { resume(with: producer) }
    }
  }

  /// Begins the work of the producer that ends the output: in the output's run, unless the output is a signal.
  @inlinable func resume(with producer: SignalProducer<Value, Downstream.Failure>) {
    guard let run = scope as? Run else { return producer.feed(asObserver, in: scope) }
    if run.isSucceeding {
      run.successor = { self.give(run, to: producer) }
    } else {
      run.succeed { give(run, to: producer) }
    }
  }

  /// No part of this remains in the run: streams may follow each other without end.
  @inlinable func give(_ run: Run, to producer: SignalProducer<Value, Downstream.Failure>) {
    scope.drop(self)
    downstream.giveBack()
    if run.isLive { producer.begin(asObserver, run) }
  }

  @inlinable var asObserver: Observer<Value, Downstream.Failure> {
    Observer(link: downstream, value: { $0.receive($1) }, ending: { $0.end($1) })
  }

  /// Holds a disposable until the output ends; disposes of it at once if it has ended.
  @inlinable @discardableResult func hold(_ disposable: (any Disposable)?) -> Bool {
    let isOver = lock.withLock {
      if !self.isOver { current = disposable }
      return self.isOver
    }
    if isOver { disposable?.dispose() }
    return !isOver
  }
}

extension Signal {
  /// Returns this signal and what follows it; `following` is called once, with its ending.
  @inlinable func continued<F>(
    _ following: @escaping (Ending<Failure>) -> Sequel<Value, Failure, F>
  ) -> Signal<Value, F> {
    Signal<Value, F>.joined { derived, scope in
      attach(Succession(derived, in: scope, following).first, for: scope)
    }
  }
}

extension SignalProducer {
  /// Returns this producer and what follows it; `following` is stateless, so that all runs can share it.
  @inlinable func continued<F>(
    _ following: @escaping (Ending<Failure>) -> Sequel<Value, Failure, F>
  ) -> SignalProducer<Value, F> {
    continued { following }
  }

  /// Returns this producer and what follows it; `makeFollowing` creates the decisions of each run.
  @inlinable func continued<F>(
    _ makeFollowing: @escaping () -> (Ending<Failure>) -> Sequel<Value, Failure, F>
  ) -> SignalProducer<Value, F> {
    SignalProducer<Value, F>(begin: { observer, run in
      // As in `apply`: the last operator of a chain sends straight to the run's terminal.
      if let terminal = Terminal.taken(from: observer) {
        return Succession(terminal, in: run, makeFollowing()).begin(with: self)
      }
      if let relay = Relay.taken(from: observer) {
        return Succession(relay, in: run, makeFollowing()).begin(with: self)
      }
      let relay = Relay(observer)
      guard run.begin(with: relay) else { return }
      Succession(relay, in: run, makeFollowing()).begin(with: self)
    })
  }
}
