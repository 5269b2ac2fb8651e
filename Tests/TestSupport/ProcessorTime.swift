import Glibc

/// The time that a piece of work keeps the processor busy, whatever else the machine does meanwhile.
package enum ProcessorTime {
  /// The time that the work takes on this thread.
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
