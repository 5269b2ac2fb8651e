public import CThread
public import Synchronization

/// A small lock for a few instructions at a time, on an atomic word that ThreadSanitizer can see.
///
/// `Synchronization.Mutex` does the same, but its calls lie in the precompiled standard library, where the sanitizer is
/// blind on Linux and reports false races.
@usableFromInline package struct FutexLock: ~Copyable, Sendable {
  /// 0 free, 1 held, 2 held with sleeping waiters.
  @usableFromInline let word = Atomic<UInt32>(0)

  @usableFromInline package init() {}

  @inlinable @inline(__always) package borrowing func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  @inlinable @inline(__always) package borrowing func lock() {
    if !tryLock() { lockSlowly() }
  }

  @inlinable @inline(__always) package borrowing func tryLock() -> Bool {
    guard signalbox_has_one_thread() else {
      return word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    }
    guard word.load(ordering: .relaxed) == 0 else { return false }
    word.store(1, ordering: .relaxed)
    return true
  }

  @inlinable @inline(__always) package borrowing func unlock() {
    if signalbox_has_one_thread() { return word.store(0, ordering: .relaxed) }
    if word.exchange(0, ordering: .releasing) == 2 { wakeSleepers() }
  }

  @usableFromInline @inline(never) borrowing func wakeSleepers() { signalbox_unpark(key) }

  @usableFromInline @inline(never) borrowing func lockSlowly() {
    for _ in 0..<100 {
      if word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { return }
      signalbox_pause()
    }
    while true {
      let ticket = signalbox_parking_ticket(key)
      if word.exchange(2, ordering: .acquiring) == 0 { return }
      signalbox_park(key, ticket)
    }
  }

  /// The address of the word, which does not move: the lock is a member of a class.
  private var key: UnsafeRawPointer {
    withUnsafePointer(to: word) { UnsafeRawPointer($0) }
  }
}
