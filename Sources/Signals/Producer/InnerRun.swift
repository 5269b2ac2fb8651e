public import Synchronization

/// The receiver of inner runs, which starts and selects them.
///
/// It takes its scope's domain for the events it forwards. Endings arrive outside of it, so that the next run can send
/// at once.
@usableFromInline protocol InnerReceiver: AnyObject, Sendable {
  associatedtype InnerValue
  associatedtype InnerFailure: Error

  /// The scope of deliveries, held meanwhile.
  var scope: Scope { get }

  /// Takes a value; the run's domain is held.
  func receive(_ value: InnerValue, from run: InnerRun<Self>)

  /// Takes the ending; the run's domain is held, and its resources are released.
  func end(_ ending: Ending<InnerFailure>, of run: InnerRun<Self>)

  /// Handles the delayed beginning of a run's work; the run may have ended meanwhile.
  func hasBegunLater(_ run: InnerRun<Self>)
}

/// A run inside another, or inside a signal; it is its own terminal, to save an object.
@usableFromInline final class InnerRun<Outer: InnerReceiver>: Run, @unchecked Sendable {
  /// Retained until the run has ended: references to the run must not keep its target alive after that.
  @usableFromInline let outer: Unmanaged<Outer>

  /// True if a signal sends here within its own domain: it may be sending when the run ends, so the outer is retained
  /// until the signal has released the run.
  @usableFromInline let followsSignal: Bool

  /// True once the outer ignores this run.
  @usableFromInline let isDetached = Atomic(false)

  @inlinable @inline(__always) var isListenedTo: Bool { !isDetached.load(ordering: .acquiring) }

  /// The run's index in the outer's list, managed by the outer.
  @exclusivity(unchecked) @usableFromInline var place = -1

  /// True until its work has begun; managed by the outer.
  @exclusivity(unchecked) @usableFromInline var isStarting = true

  @inlinable init(_ outer: Outer, followsSignal: Bool = false) {
    self.outer = .passRetained(outer)
    self.followsSignal = followsSignal
    super.init()
  }

  deinit { if !hasEnded || followsSignal { outer.release() } }

  /// The observer that the last operator sends to.
  @inlinable @inline(__always) var asObserver: Observer<Outer.InnerValue, Outer.InnerFailure> {
    Observer(link: self, value: { $0.receive($1) }, ending: { $0.end($1) })
  }

  @inlinable @inline(__always) func receive(_ value: Outer.InnerValue) {
    guard mayDeliver else { return }
    outer._withUnsafeGuaranteedRef { $0.receive(value, from: self) }
  }

  // Resources are released first, so that a successor of this run finds them free.
  @inlinable func end(_ ending: Ending<Outer.InnerFailure>) {
    guard finish() else { return }
    withExtendedLifetime(self) {
      // A run that follows a signal has no head, and is not within its own domain here.
      if followsSignal { release() } else { close() }
      let outer = followsSignal ? outer.takeUnretainedValue() : outer.takeRetainedValue()
      outer.end(ending, of: self)
    }
  }

  @inlinable override func interruptTerminal() { end(.interrupted) }

  /// Forwards a signal's events; the signal's domain serialises them, so that this run's is not needed.
  @inlinable func follow(_ signal: Signal<Outer.InnerValue, Outer.InnerFailure>) {
    let slot = Slot(asObserver, node: signal.node)
    hold(slot)
    signal.node.place(slot)
  }

  /// Interrupts the run, and ignores its events from now on.
  @inlinable func detach() {
    isDetached.store(true, ordering: .releasing)
    dispose()
  }
}

extension InnerReceiver {
  /// Begins the work of a run, outside the domain, so that immediate events are delivered at once.
  ///
  /// False if it begins only after the calling thread has left the domain; `hasBegunLater` is called then.
  @inlinable @discardableResult func begin(
    _ producer: SignalProducer<InnerValue, InnerFailure>, as run: InnerRun<Self>
  ) -> Bool {
    if scope.isHeldByCaller {
      scope.afterwards {
        if run.isLive { producer.begin(run.asObserver, run) }
        self.hasBegunLater(run)
      }
      return false
    }
    if run.isLive { producer.begin(run.asObserver, run) }
    return true
  }

  // The delivery of events downstream.

  @inlinable @inline(__always) func deliver<Downstream: Receiver>(_ value: Downstream.Value, to downstream: Downstream)
  {
    if scope.enter() {
      downstream.receive(value)
      scope.leave()
    } else {
      scope.queue { downstream.receive(value) }
    }
  }

  @inlinable func deliver<Downstream: Receiver>(_ ending: Ending<Downstream.Failure>, to downstream: Downstream) {
    if scope.enter() {
      downstream.end(ending)
      scope.leave()
    } else {
      scope.queue { downstream.end(ending) }
    }
  }
}
