package import Signals

/// The next time of a calendar that an operator waits for, saved with its body.
///
/// It follows the civil clock: it fires earlier when that is set forward, and later when it is set back.
package final class CalendarAlarm: KeptMemory, StateFields, Disposable, @unchecked Sendable {
  private let clock: GraphClock
  private let turns: Turns
  private let place: DeclaredPlace
  private let calendar: Calendar
  private var timer: GraphTimer?
  package private(set) var isDisposed = false
  /// The moment that times have passed up to, in microseconds since 1970.
  private var past = Int64.min
  /// The action at a time, run as a turn; of several that have passed at once, only at the last one.
  private var action: ((_ moment: Int64) -> Void)?
  /// The least setback of the clock that makes past times occur again.
  private let correction: Duration

  /// - Parameter correction: The least setback of the clock that makes past times occur again.
  package init(
    _ context: OperatorContext, _ calendar: Calendar, repeatingAfter correction: Duration,
    _ action: @escaping (CalendarAlarm, _ moment: Int64) -> Void
  ) {
    clock = context.clock
    turns = context.turns
    place = context.place
    self.calendar = calendar
    self.correction = correction
    self.action = { [unowned self] moment in action(self, moment) }
    keep()
  }

  /// Waits for the next time after now that has not passed.
  /// - Returns: True if there is one.
  @discardableResult package func wait() -> Bool {
    past = max(past, clock.civilMicroseconds)
    return set()
  }

  private func set() -> Bool {
    cancel()
    guard !isDisposed, let next = calendar.next(after: past) else { return false }
    // The timer retains this, which releases the timer when it fires or is cancelled: no cycle remains.
    timer = clock.schedule(atCivil: next, for: place, recount: { [self] in recount($0) }, action: { [self] in ring() })
    return true
  }

  /// True if a time is set.
  package var isSet: Bool { timer?.record != nil }

  private func ring() {
    guard let timer = timer.take() else { return }
    let moment = pass(timer)
    turns.run { action?(moment) }
  }

  /// Runs the action for a time that is due, before anything else of this instant, in the present turn.
  package func passIfDue() {
    guard let timer, timer.due.nanoseconds / 1000 <= clock.civilMicroseconds else { return }
    cancel()
    action?(pass(timer))
  }

  /// Records that a time has passed.
  private func pass(_ timer: GraphTimer) -> Int64 {
    let moment = calendar.last(from: timer.due.nanoseconds / 1000, through: clock.civilMicroseconds)
    past = max(past, moment)
    return moment
  }

  /// Sets the timer again after the clock was set back or zones have changed.
  private func recount(_ setBack: Duration?) {
    if let setBack, setBack >= correction { past = clock.civilMicroseconds }
    _ = set()
  }

  func cancel() {
    if let timer = timer.take() { clock.cancel(timer) }
  }

  /// Cancels it for good.
  package func dispose() {
    isDisposed = true
    cancel()
    action = nil
  }

  package func code(_ field: inout StateCoder<CalendarAlarm>) throws(StateError) {
    try field(&past)
    // No time beyond the year 2199 is waited for; a damaged state may contain any.
    try field.require(past == .min || -10_000_000_000_000_000...10_000_000_000_000_000 ~= past, "invalid calendar time")
    try field({ $0.timer?.record }) { record in
      guard let record else { return }
      timer = clock.schedule(
        civil: record, for: place, recount: { [self] in recount($0) }, action: { [self] in ring() })
    }
  }
}
