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

  /// By when a turn has to begin.
  var nextDeadline: MonotonicInstant? { timers.first?.latest }

  /// Has an action carried out after a time.
  ///
  /// - Parameter slack: how much later it may be.
  func schedule(after delay: Duration, slack: Slack = .none, action: @escaping () -> Void) -> TurnTimer {
    arrivals += 1
    let due = (now + delay).roundedUp(to: slack.half)
    let timer = TurnTimer(due: due, latest: due + slack.half, arrival: arrivals, action: action)
    timers.insert(timer)
    return timer
  }

  /// How much later than its time a timer may be, as the kernel has it for its own (`PR_SET_TIMERSLACK`, prctl(2)).
  ///
  /// Half of it has those that allow as much fall together. For the other half they wait for a turn that comes anyway,
  /// before they take one of their own.
  struct Slack {
    static let none = Slack(.zero)

    let whole: Duration
    fileprivate let half: Duration

    init(_ whole: Duration) {
      self.whole = whole
      half = whole / 2
    }
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
  fileprivate let latest: MonotonicInstant
  fileprivate let arrival: UInt64
  fileprivate let action: () -> Void
  var heapIndex: Int?

  fileprivate init(
    due: MonotonicInstant, latest: MonotonicInstant, arrival: UInt64, action: @escaping () -> Void
  ) {
    self.due = due
    self.latest = latest
    self.arrival = arrival
    self.action = action
  }

  func isBefore(_ other: TurnTimer) -> Bool {
    latest == other.latest ? arrival < other.arrival : latest < other.latest
  }
}
