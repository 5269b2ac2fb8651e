/// The sequel to the ending of a stream.
///
/// Made of closures, also where a value would do: generic values would cost look-ups of their type where this is kept.
@usableFromInline enum Sequel<Value, Failure: Error, OutputFailure: Error> {
  /// Another producer, whose ending is asked about in turn.
  case follow(SignalProducer<Value, Failure>)
  /// The same after a while; apart, so that what happens more often is not as large.
  indirect case followLater(SignalProducer<Value, Failure>, after: Duration, on: any DateScheduler)
  /// Another producer, with whose ending the output ends.
  case replace(SignalProducer<Value, OutputFailure>)
  /// The ending of the output.
  case end(with: () -> Ending<OutputFailure>)
  /// The decision of somebody who is told by this closure, and calls `resume`.
  case wait(for: () -> Void)

  @inlinable static func end(_ ending: Ending<OutputFailure>) -> Sequel {
    switch ending {
    case .completed: .end(with: { .completed })
    case .interrupted: .end(with: { .interrupted })
    case .failed(let error): .end(with: { .failed(error) })
    }
  }
}

/// Streams one after the other, of which each one's ending decides what follows.
///
/// Nothing that follows is started before what was has let its resources go. A loop starts what follows, so that any
/// number of producers that end at once takes no depth of the stack.
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

  /// The observer of a first stream that is no run: a signal.
  @inlinable var first: Observer<Value, Failure> {
    Observer(
      link: self, value: { $0.deliver($1, to: $0.downstream) }, ending: { $0.advance(to: $0.following($1)) })
  }

  /// Starts the first stream, if that is a producer's; called once, before anybody else can say what follows.
  @inlinable func begin(with producer: SignalProducer<Value, Failure>) {
    isAdvancing = true
    carryOut(follow(producer))
  }

  /// Goes on; if a caller is doing that already, it goes on with this afterwards.
  @inlinable func advance(to next: Next) {
    let isFirst = lock.withLock {
      if isAdvancing { upcoming = next }
      defer { isAdvancing = true }
      return !isAdvancing
    }
    if isFirst { carryOut(next) }
  }

  /// Goes on if this waits for somebody to decide.
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
  /// Does the next thing, and what has come up by then, until there is nothing more to do or the output is left to what
  /// ends it.
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

  /// Starts a producer; gives back what follows if that is known at once.
  @inlinable func follow(_ producer: SignalProducer<Value, Failure>) -> Next? {
    // Events that are known beforehand need no run, unless the value could not be heard at once.
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
    default: if scope.isHeldByCaller { scope.afterwards { self.goOn(with: producer) } } else { goOn(with: producer) }
    }
  }

  /// Begins the work of what the output ends with: in the run that it belongs to, if it does not belong to a signal.
  @inlinable func goOn(with producer: SignalProducer<Value, Downstream.Failure>) {
    guard let run = scope.run else { return producer.feed(asObserver, in: scope) }
    if run.isSucceeding {
      run.successor = { self.give(run, to: producer) }
    } else {
      run.succeed { give(run, to: producer) }
    }
  }

  /// Nothing of this stays in the run: what follows may follow itself without end.
  @inlinable func give(_ run: Run, to producer: SignalProducer<Value, Downstream.Failure>) {
    scope.drop(self)
    downstream.giveBack()
    if run.isLive { producer.begin(asObserver, run) }
  }

  @inlinable var asObserver: Observer<Value, Downstream.Failure> {
    Observer(link: downstream, value: { $0.receive($1) }, ending: { $0.end($1) })
  }

  /// Keeps what is to be disposed of if the output ends; does so at once if it has ended.
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
  /// This signal and what follows it; `following` is asked once, with its ending.
  @inlinable func continued<F>(
    _ following: @escaping (Ending<Failure>) -> Sequel<Value, Failure, F>
  ) -> Signal<Value, F> {
    Signal<Value, F>.joined { derived, scope in
      attach(Succession(derived, in: scope, following).first, for: scope)
    }
  }
}

extension SignalProducer {
  /// This producer and what follows it; `following` remembers nothing, so that all runs can ask it.
  @inlinable func continued<F>(
    _ following: @escaping (Ending<Failure>) -> Sequel<Value, Failure, F>
  ) -> SignalProducer<Value, F> {
    continued { following }
  }

  /// This producer and what follows it; `makeFollowing` gives each run its own answers.
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
