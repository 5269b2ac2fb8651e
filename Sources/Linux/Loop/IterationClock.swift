import Base

/// The time of this iteration of a loop, and timers by it.
///
/// All events of one iteration have the same time.
package final class IterationClock {
  package private(set) var now: MonotonicInstant
  private var timers = IndexedHeap<IterationTimer>()
  private var arrivals: UInt64 = 0

  package init(now: MonotonicInstant = .now()) { self.now = now }

  /// Reads the time at the beginning of an iteration, or after other clients were served.
  package func readTime() { now = .now() }

  /// Sets the time without running timers.
  package func move(to now: MonotonicInstant) { self.now = now }

  package var nextDeadline: MonotonicInstant? { timers.first?.due }

  /// Schedules an action.
  ///
  /// - Parameter slack: The longest delay beyond its time. Timers with equal slack are rounded to common times and
  ///   share an iteration (as the kernel's timers do, see `PR_SET_TIMERSLACK` in prctl(2)).
  package func schedule(
    after delay: Duration, slack: Duration = .zero, action: @escaping () -> Void
  ) -> IterationTimer {
    arrivals += 1
    let timer = IterationTimer(due: (now + delay).roundedUp(to: slack), arrival: arrivals, action: action)
    timers.insert(timer)
    return timer
  }

  /// Removes a timer at once.
  package func cancel(_ timer: IterationTimer) { timers.remove(timer) }

  /// Runs the timers that are due, or only those due before another time; timers set by their actions wait for another
  /// call.
  package func runDueTimers(before end: MonotonicInstant = MonotonicInstant(nanoseconds: .max)) {
    let last = arrivals
    while let timer = timers.first, timer.due <= now, timer.due < end, timer.arrival <= last {
      timers.remove(timer)
      timer.action()
    }
  }
}

/// One scheduled action.
package final class IterationTimer: HeapElement {
  package let due: MonotonicInstant
  fileprivate let arrival: UInt64
  fileprivate let action: () -> Void
  package var heapIndex: Int?

  fileprivate init(due: MonotonicInstant, arrival: UInt64, action: @escaping () -> Void) {
    self.due = due
    self.arrival = arrival
    self.action = action
  }

  package var heapKey: Int64 { due.nanoseconds }

  package func isBefore(_ other: IterationTimer) -> Bool { arrival < other.arrival }
}
