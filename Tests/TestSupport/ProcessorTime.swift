import Glibc

/// The processor time of a piece of work, independent of other load.
package enum ProcessorTime {
  /// Returns the processor time of the work on this thread.
  package static func of<Failure>(_ work: () throws(Failure) -> Void) throws(Failure) -> Duration {
    let start = now()
    try work()
    return now() - start
  }

  private static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
