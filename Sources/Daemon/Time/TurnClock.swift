import Linux
import Queues

/// The time of this turn of the loop, and what only the daemon waits for.
///
/// All that happens in one turn happens at the same time. The alarms of graphs are with `GraphClock`, and belong to
/// their state; they know nothing of the alarms here.
final class TurnClock {
  private(set) var now: MonotonicInstant
  private var timers = TimerHeap<TurnTimer>()
  private var arrivals: UInt64 = 0

  init(now: MonotonicInstant = .now()) { self.now = now }

  /// A turn begins, or goes on after others were served.
  func readTime() { now = .now() }

  /// The time moves on; no timer runs by that alone.
  func move(to now: MonotonicInstant) { self.now = now }

  var nextDeadline: MonotonicInstant? { timers.first?.due }

  /// Has an action carried out after a time.
  ///
  /// - Parameter slack: how much later it may be. Those that allow as much fall together, and cost one turn (as the
  ///   kernel's timers do, see `PR_SET_TIMERSLACK` in prctl(2)).
  func schedule(after delay: Duration, slack: Duration = .zero, action: @escaping () -> Void) -> TurnTimer {
    arrivals += 1
    let timer = TurnTimer(due: (now + delay).roundedUp(to: slack), arrival: arrivals, action: action)
    timers.insert(timer)
    return timer
  }

  /// A timer that was cancelled is gone at once.
  func cancel(_ timer: TurnTimer) { timers.remove(timer) }

  /// Runs what is due, or only what was due before another time; what is set meanwhile waits for another look.
  func runDueTimers(before end: MonotonicInstant = MonotonicInstant(nanoseconds: .max)) {
    let last = arrivals
    while let timer = timers.first, timer.due <= now, timer.due < end, timer.arrival <= last {
      timers.remove(timer)
      timer.action()
    }
  }
}

/// One action that waits for its time.
final class TurnTimer: HeapTimer {
  let due: MonotonicInstant
  fileprivate let arrival: UInt64
  fileprivate let action: () -> Void
  var heapIndex: Int?

  fileprivate init(due: MonotonicInstant, arrival: UInt64, action: @escaping () -> Void) {
    self.due = due
    self.arrival = arrival
    self.action = action
  }

  func isBefore(_ other: TurnTimer) -> Bool { due == other.due ? arrival < other.arrival : due < other.due }
}
