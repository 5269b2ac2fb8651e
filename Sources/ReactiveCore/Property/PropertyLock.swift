public import CThread
public import Synchronization

/// The lock of a property's value: held for an instant, or for as long as a user's action takes that is inside.
@usableFromInline class PropertyLock: @unchecked Sendable {
  @usableFromInline let lock = FutexLock()
  /// The thread that is inside `modify` or `withValue`.
  @usableFromInline let insider = Atomic<UInt>(0)

  @usableFromInline init() {}

  /// Locks for an instant.
  @inlinable @inline(__always) final func acquire() {
    if !lock.tryLock() { acquireSlowly() }
  }

  @inlinable @inline(__always) final func release() { lock.unlock() }

  /// Waits for the lock; traps if that would be for ever, because its holder waits for a lock that this thread holds.
  @usableFromInline @inline(never) final func acquireSlowly() {
    for _ in 0..<100 {
      if lock.tryLock() { return }
      signalbox_pause()
    }
    // Nobody can be waiting for a thread that is inside nothing.
    if signalbox_held_count() == 0 { lock.lock() } else { WaitingThreads.all.await(self) { lock.lock() } }
  }

  @inlinable final func withLock<Result>(_ body: () -> Result) -> Result {
    acquire()
    defer { release() }
    return body()
  }

  /// Locks for a user's action.
  ///
  /// The thread counts as holding a domain meanwhile: what the action sends to a busy signal is queued.
  final func beginInside() {
    refuseInsider()
    acquire()
    insider.store(signalbox_thread_pointer(), ordering: .relaxed)
    signalbox_hold()
  }

  /// The user's action is over; the lock stays.
  final func endInside() {
    signalbox_release()
    insider.store(0, ordering: .relaxed)
  }

  @inlinable final func refuseInsider() {
    precondition(
      insider.load(ordering: .relaxed) != signalbox_thread_pointer(),
      "a property was used from inside its own modify or withValue")
  }
}

/// Which thread waits for which property, of those that others may be waiting for in turn.
private final class WaitingThreads: @unchecked Sendable {
  static let all = WaitingThreads()

  private let lock = FutexLock()
  private var awaited: [UInt: PropertyLock] = [:]

  func await(_ property: PropertyLock, _ wait: () -> Void) {
    let me = signalbox_thread_pointer()
    lock.withLock {
      precondition(
        !leads(from: property, to: me),
        "two threads inside modify or withValue use each other's property: nest properties in one order")
      awaited[me] = property
    }
    wait()
    lock.withLock { awaited[me] = nil }
  }

  /// True if who is inside the property waits, maybe by way of others, for what the thread is inside of.
  private func leads(from property: PropertyLock, to thread: UInt) -> Bool {
    var property = property
    while true {
      let insider = property.insider.load(ordering: .relaxed)
      if insider == thread { return true }
      // A thread that has got the lock it waited for, but has not said so yet, waits no more.
      guard let next = awaited[insider], next !== property else { return false }
      property = next
    }
  }
}
