// Who holds whom during a run (=> strong, -> unowned):
//
//     user => Run (as a Disposable) => resources: subscriptions, timers, runs of joined producers, the user's own
//     Run => head => Observer => … => Observer => Terminal => what the user's closures hold
//                                                 Terminal -> Run
//     the producer's work (an observer handed to it, a timer, a slot in a signal) => Run, and => Observer
//
// Who calls the terminal does so through the work or the head, which hold the run. When the run has ended it lets its
// head and resources go.

public import Synchronization

/// One start of a producer: its domain, whether it goes on, and what to let go when it ends.
@usableFromInline final class Run: Scope, @unchecked Sendable {
  /// live → ended; or live → cancelled (nothing may follow but the interruption) → interrupting → ended.
  @usableFromInline let state = Atomic<UInt8>(Run.live)

  @usableFromInline static var live: UInt8 { 0 }
  @usableFromInline static var interrupting: UInt8 { 1 }
  static var cancelled: UInt8 { 2 }
  static var ended: UInt8 { 3 }

  /// What an interruption is sent to, so that it passes through all operators; touched within the domain.
  @exclusivity(unchecked) @usableFromInline var head: (any Interruptible)?

  @usableFromInline override init() { super.init() }

  /// False once the run has ended or was disposed of: work that is under way may stop.
  @usableFromInline var isLive: Bool { state.load(ordering: .relaxed) == Run.live }

  /// True while events may still reach the observer.
  @inlinable @inline(__always) var mayDeliver: Bool { state.load(ordering: .relaxed) <= Run.interrupting }

  /// True once the ending was delivered.
  var hasEnded: Bool { state.load(ordering: .relaxed) == Run.ended }

  @usableFromInline override var isDisposed: Bool { !isLive }

  /// Interrupts the run; its observer gets `interrupted`, after a delivery that is under way, and nothing else.
  @usableFromInline override func dispose() {
    let before = state.compareExchange(
      expected: Run.live, desired: Run.cancelled, ordering: .acquiringAndReleasing)
    if before.exchanged { queue { self.interrupt() } }
  }

  /// Says what interruptions are sent to from now on; false if the run is over and its work must not begin.
  @usableFromInline func begin(with head: any Interruptible) -> Bool {
    // The domain of a run whose work has not begun is free, unless another thread is interrupting it.
    guard enter() else { return false }
    if isLive { self.head = head }
    leave()
    return isLive
  }

  private func interrupt() {
    state.store(Run.interrupting, ordering: .releasing)
    head?.interrupt()
  }

  /// Ends the run; false if it had ended, or if it was cancelled and this is not the interruption.
  @usableFromInline func finish() -> Bool {
    for before in [Run.live, Run.interrupting] {
      let result = state.compareExchange(expected: before, desired: Run.ended, ordering: .acquiringAndReleasing)
      if result.exchanged { return true }
    }
    return false
  }

  /// Lets go of everything, after the ending was delivered.
  @usableFromInline func letGo() {
    head = nil
    resources.dispose()
  }
}

/// What an interruption can be sent to.
@usableFromInline protocol Interruptible: AnyObject {
  /// Sends `interrupted`; the domain is held.
  func interrupt()
}

/// The observer of a run: it lets nothing through once the run was disposed of or has ended.
@usableFromInline final class Terminal<Value, Failure: Error>: Receiver, Interruptible {
  @usableFromInline let observer: Observer<Value, Failure>
  @usableFromInline let run: Unmanaged<Run>

  @inlinable init(_ observer: Observer<Value, Failure>, _ run: Run) {
    self.observer = observer
    self.run = Unmanaged.passUnretained(run)
  }

  @inlinable @inline(__always) func receive(_ value: Value) {
    if run._withUnsafeGuaranteedRef({ $0.mayDeliver }) { observer.receive(value) }
  }

  @usableFromInline func end(_ ending: Ending<Failure>) {
    let run = run.takeUnretainedValue()
    guard run.finish() else { return }
    observer.end(ending)
    run.letGo()
  }

  @usableFromInline func interrupt() { end(.interrupted) }
}

/// An observer as a receiver, and as the head of a run.
@usableFromInline final class Relay<Value, Failure: Error>: Receiver, Interruptible {
  @usableFromInline let observer: Observer<Value, Failure>

  @inlinable init(_ observer: Observer<Value, Failure>) { self.observer = observer }

  @inlinable @inline(__always) func receive(_ value: Value) { observer.receive(value) }
  @inlinable func end(_ ending: Ending<Failure>) { observer.end(ending) }
  @usableFromInline func interrupt() { observer.end(.interrupted) }
}
