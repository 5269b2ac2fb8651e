public import Synchronization

/// The receiver of inner runs: it starts them, and knows which of them it still listens to.
///
/// It takes its scope's domain for what it passes on. Endings come outside of that, so that what is started next can
/// send at once.
@usableFromInline protocol InnerReceiver: AnyObject, Sendable {
  associatedtype InnerValue
  associatedtype InnerFailure: Error

  /// The scope that is delivered to, and held meanwhile.
  var scope: Scope { get }

  /// Takes a value; the run's domain is held.
  func receive(_ value: InnerValue, from run: InnerRun<Self>)

  /// Takes the ending; the run's domain is held, and all that the run held is let go.
  func end(_ ending: Ending<InnerFailure>, of run: InnerRun<Self>)

  /// The work of a run has begun for which `begin` had to wait; it may have ended meanwhile.
  func hasBegunLater(_ run: InnerRun<Self>)
}

/// A run inside another, or inside a signal; it is its own terminal, to cost one object.
@usableFromInline final class InnerRun<Outer: InnerReceiver>: Run, @unchecked Sendable {
  /// Retained until the run has ended: what holds the run from then on must not hold what it sent to.
  @usableFromInline let outer: Unmanaged<Outer>

  /// True if a signal sends here within its own domain: it may be doing so when the run ends, so the outer stays until
  /// the signal has let go.
  @usableFromInline let followsSignal: Bool

  /// True once the outer does not listen any more, because it went on to another.
  @usableFromInline let isDetached = Atomic(false)

  @inlinable @inline(__always) var isListenedTo: Bool { !isDetached.load(ordering: .acquiring) }

  /// Where the outer keeps it; the outer's affair.
  @exclusivity(unchecked) @usableFromInline var place = -1

  /// True until its work has begun; the outer's affair.
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

  // Resources go first, so that a run that takes the place of this one finds them free.
  @inlinable func end(_ ending: Ending<Outer.InnerFailure>) {
    guard finish() else { return }
    withExtendedLifetime(self) {
      // A run that follows a signal has no head, and is not within its own domain here.
      if followsSignal { letGo() } else { close() }
      let outer = followsSignal ? outer.takeUnretainedValue() : outer.takeRetainedValue()
      outer.end(ending, of: self)
    }
  }

  @inlinable override func interruptTerminal() { end(.interrupted) }

  /// Sends what a signal sends; the signal's domain serialises it, so that this run's need not be taken.
  @inlinable func follow(_ signal: Signal<Outer.InnerValue, Outer.InnerFailure>) {
    let slot = Slot(asObserver, node: signal.node)
    hold(slot)
    signal.node.place(slot)
  }

  /// Interrupts the run, from which the outer wants to hear nothing more.
  @inlinable func detach() {
    isDetached.store(true, ordering: .releasing)
    dispose()
  }
}

extension InnerReceiver {
  /// Begins the work of a run, outside the domain, so that what it sends at once is heard at once.
  ///
  /// False if it will begin only when the calling thread has left the domain; `hasBegunLater` tells when.
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

  // The outer's way to send downstream.

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
