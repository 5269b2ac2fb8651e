// A serialisation domain is one lock word. A pipe, a property, a run of a producer and every join of several signals
// has its own; a signal derived by an operator belongs to its source's. A thread that delivers holds the domain for the
// delivery, so delivering needs no snapshot of the observers, no retain and no allocation.
//
//     word   0                 free
//            thread pointer    held by that thread; its three lowest bits say
//                              1  work is pending: the holder carries it out before it leaves
//                              2  a thread is asleep until the holder leaves
//                              4  work keeps coming while the holder tries to leave
//
// A program with one thread takes and releases it without atomic instructions; a join would wait for four of them a
// value. Each thread that it starts sees what was written before.
//
// Nothing deadlocks: only a thread that holds no domain at all ever waits for one. A thread that holds any (this one or
// another) appends its work to the busy domain's pending list and continues. A thread counts its domains in
// `signalbox_held`.
//
// `enter` and `leave` are inlinable, here and in every file of the value path: specialised in the caller's module, a
// send to one observer takes a third of the time that it takes through unspecialised generics.

public import CThread
public import Synchronization

/// A lock that its holder keeps during a delivery, with a list of the work that arrives meanwhile.
@usableFromInline package class Domain: @unchecked Sendable {
  @usableFromInline let word = Atomic<UInt>(0)
  private let backlogLock = FutexLock()
  private var isRestructuring = false
  /// Created when work is first deferred: most domains never need it, and cost less without it.
  private var backlog: Backlog?

  @usableFromInline static var pendingBit: UInt { 1 }
  @usableFromInline static var waiterBit: UInt { 2 }
  @usableFromInline static var overloadBit: UInt { 4 }

  @usableFromInline package init() {}

  /// Takes the domain, waiting if necessary; false if the caller must `queue` its work instead.
  @inlinable @inline(__always) package final func enter() -> Bool {
    tryEnter() || enterSlowly()
  }

  /// Takes the domain if it is free.
  @inlinable @inline(__always) package final func tryEnter() -> Bool {
    if signalbox_has_one_thread() {
      guard word.load(ordering: .relaxed) == 0 else { return false }
      word.store(signalbox_thread_pointer(), ordering: .relaxed)
    } else if !word.compareExchange(expected: 0, desired: signalbox_thread_pointer(), ordering: .acquiring).exchanged {
      return false
    }
    signalbox_hold()
    return true
  }

  /// Releases the domain, after running the work queued meanwhile.
  @inlinable @inline(__always) package final func leave() {
    let me = signalbox_thread_pointer()
    if signalbox_has_one_thread(), word.load(ordering: .relaxed) == me {
      word.store(0, ordering: .relaxed)
    } else if !word.compareExchange(expected: me, desired: 0, ordering: .releasing).exchanged {
      leaveSlowly()
    }
    signalbox_release()
  }

  /// True if the calling thread holds this domain.
  @usableFromInline package final var isHeldByCaller: Bool {
    let bits = Domain.pendingBit | Domain.waiterBit | Domain.overloadBit
    return word.load(ordering: .relaxed) & ~bits == signalbox_thread_pointer()
  }

  /// Runs `work` inside the domain: now if the domain is free, else by its holder, in the order of arrival.
  @usableFromInline @inline(never) package final func queue(_ work: @escaping () -> Void) {
    while !appendIfBusy(work) {
      if tryEnter() {
        work()
        leave()
        return
      }
    }
  }

  /// Defers `work` of the calling thread, which holds the domain, until it has left the domain.
  ///
  /// For work that sends into the domain and must be delivered at once: a run started from inside a delivery.
  @usableFromInline package final func afterwards(_ work: @escaping () -> Void) {
    backlogLock.withLock { openBacklog() }.departures.append(work)
    word.bitwiseOr(Domain.pendingBit, ordering: .relaxed)
  }

  /// Takes the domain in order to change its observers, if that takes no more than a moment.
  ///
  /// No delivery is under way until `endRestructuring`. False if the change must be queued. Neither observing nor
  /// disposing ever waits for a delivery.
  @usableFromInline final func beginRestructuring(isArrival: Bool = false) -> Bool {
    guard isArrival ? enterOnArrival() : tryEnter() else { return false }
    isRestructuring = true
    return true
  }

  @usableFromInline final func endRestructuring() {
    isRestructuring = false
    leave()
  }

  /// Queues a change of the observers: pending work runs between deliveries.
  final func queueRestructuring(_ change: @escaping () -> Void) {
    queue {
      self.isRestructuring = true
      change()
      self.isRestructuring = false
    }
  }

  /// True between `beginRestructuring` and `endRestructuring` of the calling thread: closures that are not running may
  /// be released.
  final var isRestructuredByCaller: Bool { isHeldByCaller && isRestructuring }

  /// Adds `work` to the holder's pending work; false if the domain is free.
  package final func appendIfBusy(_ work: @escaping () -> Void) -> Bool {
    backlogLock.withLock {
      var seen = word.load(ordering: .relaxed)
      // While the pending bit is set the holder cannot leave without taking `backlogLock`, hence without seeing `work`.
      while seen != 0 {
        let result = word.compareExchange(
          expected: seen, desired: seen | Domain.pendingBit, ordering: .acquiringAndReleasing)
        if result.exchanged {
          openBacklog().pending.append(work)
          return true
        }
        seen = result.original
      }
      return false
    }
  }

  @usableFromInline @inline(never) final func leaveSlowly() {
    let me = signalbox_thread_pointer()
    var departures: [() -> Void] = []
    while true {
      let bits = word.load(ordering: .relaxed) & ~me
      if bits & Domain.pendingBit != 0 {
        departures += carryOutPendingWork()
        // Pending work is run too, but new observers should wait.
        word.bitwiseOr(Domain.overloadBit, ordering: .relaxed)
      } else if word.compareExchange(expected: me | bits, desired: 0, ordering: .releasing).exchanged {
        if bits & Domain.waiterBit != 0 { signalbox_unpark(Unmanaged.passUnretained(self).toOpaque()) }
        if !departures.isEmpty { depart(departures) }
        return
      }
    }
  }

  /// Runs the work of other threads; returns the work the holder deferred until it has left.
  private func carryOutPendingWork() -> [() -> Void] {
    let (backlog, work) = backlogLock.withLock {
      word.bitwiseAnd(~Domain.pendingBit, ordering: .relaxed)
      let backlog = openBacklog()
      defer { backlog.pending = [] }
      return (backlog, backlog.pending)
    }
    for item in work { item() }
    defer { backlog.departures = [] }
    return backlog.departures
  }

  private func depart(_ work: [() -> Void]) {
    // `leave` counts the domain as released only after this.
    signalbox_release()
    defer { signalbox_hold() }
    backlogLock.withLock { openBacklog() }.depart(work)
  }

  /// The backlog, created on first use; call under its lock.
  private func openBacklog() -> Backlog {
    if let backlog { return backlog }
    let made = Backlog()
    backlog = made
    return made
  }
}
