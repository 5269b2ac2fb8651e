import Glibc

/// A value shared by threads under mutual exclusion, with a condition variable for changes.
///
/// Uses a pthread mutex and condition, which the thread sanitizer supports, with deadlines on the monotonic clock.
package final class Monitor<Value: ~Copyable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: consuming sending Value) {
    self.value = value
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs a closure with exclusive access to the value.
  package func withLock<Result: ~Copyable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Wakes all waiting threads.
  package func ring() {
    pthread_cond_broadcast(condition)
  }

  /// Waits until `find` returns a value, or until a deadline.
  ///
  /// - Returns: The value found, or `nil` at the deadline.
  package func wait<Found>(until deadline: MonotonicInstant?, for find: (inout Value) -> Found?) -> Found? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let found = find(&value) { return found }
      guard let deadline else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      if MonotonicInstant.now() >= deadline { return nil }
      var time = timespec(
        tv_sec: Int(deadline.nanoseconds / 1_000_000_000), tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
      pthread_cond_timedwait(condition, mutex, &time)
    }
  }
}
