public import CThread
public import Signals
public import Synchronization

/// The lock of a property's value: held for an instant, or for the duration of a user's action.
@usableFromInline class PropertyLock: @unchecked Sendable {
  @usableFromInline let lock = FutexLock()
  /// The thread inside `modify` or `withValue`.
  @usableFromInline let insider = Atomic<UInt>(0)

  @usableFromInline init() {}

  /// Locks for an instant.
  @inlinable @inline(__always) final func acquire() {
    if !lock.tryLock() { acquireSlowly() }
  }

  @inlinable @inline(__always) final func release() { lock.unlock() }

  /// Waits for the lock; traps on a deadlock, when its holder waits for a lock that this thread holds.
  @usableFromInline @inline(never) final func acquireSlowly() {
    for _ in 0..<100 {
      if lock.tryLock() { return }
      signalbox_pause()
    }
    // No thread can wait for one that is inside nothing.
    if signalbox_held_count() == 0 { lock.lock() } else { WaitingThreads.all.await(self) { lock.lock() } }
  }

  @inlinable final func withLock<Result>(_ body: () -> Result) -> Result {
    acquire()
    defer { release() }
    return body()
  }

  /// Locks for a user's action.
  ///
  /// The thread counts as holding a domain meanwhile: events it sends to a busy signal are queued.
  final func beginInside() {
    refuseInsider()
    acquire()
    insider.store(signalbox_thread_pointer(), ordering: .relaxed)
    signalbox_hold()
  }

  /// Marks the end of the user's action; the lock stays held.
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

/// The threads that wait for properties while others may wait for them in turn.
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

  /// True if the thread inside the property waits, directly or indirectly, for a property that `thread` is inside.
  private func leads(from property: PropertyLock, to thread: UInt) -> Bool {
    var property = property
    while true {
      let insider = property.insider.load(ordering: .relaxed)
      if insider == thread { return true }
      // A thread that has acquired its lock but not yet recorded it does not wait any more.
      guard let next = awaited[insider], next !== property else { return false }
      property = next
    }
  }
}
