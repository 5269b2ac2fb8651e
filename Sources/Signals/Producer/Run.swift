// Who holds whom during a run (=> strong, -> unowned):
//
//     user => Run (as a Disposable) => what it holds: subscriptions, timers, runs of joined producers, the user's own
//     Run => head => Observer => … => Observer => Terminal => what the user's closures hold
//                                                 Terminal -> Run
//     the producer's work (an observer passed to it, a timer, a slot in a signal) => Run, and => Observer
//
// The terminal is called through the work or the head, which hold the run. A run that has ended releases its head and
// resources.

import CThread
public import Synchronization

/// One start of a producer: its domain, its state, and the resources to release at its end.
@usableFromInline package class Run: Scope, @unchecked Sendable {
  /// live → ended; or live → cancelled (only the interruption may follow) → interrupting → ended.
  @usableFromInline final let state = Atomic<UInt8>(Run.live)

  @usableFromInline static var live: UInt8 { 0 }
  @usableFromInline static var interrupting: UInt8 { 1 }
  static var cancelled: UInt8 { 2 }
  static var ended: UInt8 { 3 }

  /// The observer that receives an interruption, so that it passes through all operators; accessed within the domain.
  @exclusivity(unchecked) @usableFromInline final var head: (any Interruptible)?

  /// True while the run's work calls the head, which must not be released meanwhile; accessed within the domain.
  @exclusivity(unchecked) @usableFromInline final var isCallingHead = false

  @usableFromInline package override init() { super.init() }

  /// False once the run has ended or was disposed of: work under way may stop.
  @usableFromInline final var isLive: Bool { state.load(ordering: .relaxed) == Run.live }

  /// True while the observer may still receive events.
  @inlinable @inline(__always) final var mayDeliver: Bool { state.load(ordering: .relaxed) <= Run.interrupting }

  /// True once the ending was delivered.
  @usableFromInline package final var hasEnded: Bool { state.load(ordering: .relaxed) == Run.ended }

  @usableFromInline package override var isDisposed: Bool { !isLive }

  /// Interrupts the run; its observer gets `interrupted`, after a delivery that is under way, and nothing else.
  @usableFromInline package override func dispose() {
    let before = state.compareExchange(
      expected: Run.live, desired: Run.cancelled, ordering: .acquiringAndReleasing)
    guard before.exchanged else { return }
    if tryEnter() {
      interrupt()
      leave()
    } else {
      Farewell.queue(in: self) { self.interrupt() }
    }
  }

  /// Sets the receiver of interruptions; false if the run is over and its work must not begin.
  @usableFromInline package final func begin(with head: any Interruptible) -> Bool {
    // The domain of a run whose work has not begun is free, unless another thread is interrupting it.
    guard enter() else { return false }
    if isLive { self.head = head }
    leave()
    return isLive
  }

  /// Begins a run whose interruption goes to the first operator's observer, or to the object linked to `observer`.
  @inlinable package final func begin<Value, Failure>(with observer: Observer<Value, Failure>) -> Bool {
    // Asked of the observer, not of `head`, which another thread may be releasing.
    if observer.link === self || observer.isOfHead { return isLive }
    return begin(with: Relay(observer))
  }

  /// The thread that begins successors in this run; it alone accesses `successor`.
  private let succeeder = Atomic<UInt>(0)

  /// The next work of that thread.
  @exclusivity(unchecked) @usableFromInline final var successor: (() -> Void)?

  /// True if the caller runs inside this run's succession, and must leave its own sequel to `successor`.
  @usableFromInline final var isSucceeding: Bool { succeeder.load(ordering: .relaxed) == signalbox_thread_pointer() }

  /// Begins a successor and its successors in a loop: producers that follow each other without end take no stack depth.
  @inlinable final func succeed(_ begin: () -> Void) {
    let isFirst = beginSucceeding()
    begin()
    // A second thread that arrives meanwhile has no loop: its stack may deepen.
    if isFirst { endSucceeding() }
  }

  @usableFromInline final func beginSucceeding() -> Bool {
    succeeder.compareExchange(expected: 0, desired: signalbox_thread_pointer(), ordering: .acquiring).exchanged
  }

  @usableFromInline final func endSucceeding() {
    while let next = successor.take() { next() }
    succeeder.store(0, ordering: .releasing)
  }

  /// Interrupts a `head` that was to begin this run, which was already disposed of; the domain is held.
  final func refuse(_ head: any Interruptible) {
    _ = takeInterruption()
    head.interrupt()
  }

  private func interrupt() {
    guard let scheduler = head?.scheduler else { return deliverInterruption() }
    // No held event follows: the run stays cancelled until the interruption.
    release()
    scheduler.schedule { self.perform { self.deliverInterruption() } }
  }

  private func deliverInterruption() {
    guard takeInterruption() else { return }
    if let head { head.interrupt() } else { interruptTerminal() }
  }

  /// Delivers the interruption past the operators, if there is no head.
  @usableFromInline func interruptTerminal() {}

  /// True for the one caller that must deliver the interruption of a cancelled run: its work, if that holds the domain
  /// throughout, else the canceller.
  @usableFromInline final func takeInterruption() -> Bool {
    state.compareExchange(
      expected: Run.cancelled, desired: Run.interrupting, ordering: .acquiringAndReleasing
    ).exchanged
  }

  private func changeState(from before: UInt8) -> Bool {
    state.compareExchange(expected: before, desired: Run.ended, ordering: .acquiringAndReleasing).exchanged
  }

  /// Ends the run; false if it had ended, or if it was cancelled and this is not the interruption.
  @usableFromInline final func finish() -> Bool {
    changeState(from: Run.live) || changeState(from: Run.interrupting)
  }

  /// Releases all resources, after the ending was delivered.
  @usableFromInline final func close() {
    if !isCallingHead { head = nil }
    release()
  }
}
