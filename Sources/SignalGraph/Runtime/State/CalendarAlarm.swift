import ReactiveCore

/// The next time of a calendar that an operator waits for, saved with its body.
///
/// It goes by the civil clock: it comes earlier when that is set forward, and later when it is set back.
final class CalendarAlarm: KeptMemory, Disposable, @unchecked Sendable {
  private let clock: GraphClock
  private let turns: Turns
  private let place: DeclaredPlace
  private let calendar: Calendar
  private var timer: GraphTimer?
  private(set) var isDisposed = false
  /// The moment up to which times have been, in microseconds since 1970.
  private var past = Int64.min
  /// Done at a time, as a turn; of several that have passed at once only at the last one.
  private var action: ((_ moment: Int64) -> Void)?
  /// By how much the clock must be set back so that times come again which have been.
  private let correction: Duration

  /// - Parameter correction: By how much the clock must be set back so that times come again which have been.
  init(
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

  /// Waits for the next time after now that has not been.
  /// - Returns: whether there is one.
  @discardableResult func wait() -> Bool {
    past = max(past, clock.civilMicroseconds)
    return set()
  }

  private func set() -> Bool {
    cancel()
    guard !isDisposed, let next = calendar.next(after: past) else { return false }
    // The timer must not hold itself: it holds this, which lets go of it when it rings and when it is cancelled.
    timer = clock.schedule(atCivil: next, for: place, recount: { [self] in recount($0) }, action: { [self] in ring() })
    return true
  }

  /// Whether a time is waited for.
  var isSet: Bool { timer?.record != nil }

  private func ring() {
    guard let timer = timer.take() else { return }
    let moment = pass(timer)
    turns.run { action?(moment) }
  }

  /// Takes a time that has come before anything else of this instant does, in the present turn.
  func passIfDue() {
    guard let timer, timer.due.nanoseconds / 1000 <= clock.civilMicroseconds else { return }
    cancel()
    action?(pass(timer))
  }

  /// Takes note that a time is over.
  private func pass(_ timer: GraphTimer) -> Int64 {
    let moment = calendar.last(from: timer.due.nanoseconds / 1000, through: clock.civilMicroseconds)
    past = max(past, moment)
    return moment
  }

  /// The clock was set back, or zones have changed.
  private func recount(_ setBack: Duration?) {
    if let setBack, setBack >= correction { past = clock.civilMicroseconds }
    _ = set()
  }

  func cancel() {
    if let timer = timer.take() { clock.cancel(timer) }
  }

  /// Waits for nothing any more.
  func dispose() {
    isDisposed = true
    cancel()
    action = nil
  }

  func store(in writer: inout StateWriter) {
    past.store(in: &writer)
    timer?.record.store(in: &writer) ?? TimerRecord?.none.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    past = try Int64(from: &reader)
    // No year beyond 2199 is waited for; the time of a damaged state may be any.
    guard past == .min || -10_000_000_000_000_000...10_000_000_000_000_000 ~= past else {
      throw StateError("a time of the calendar is none")
    }
    guard let record = try TimerRecord?(from: &reader) else { return }
    timer = clock.schedule(
      civil: record, for: place, recount: { [self] in recount($0) }, action: { [self] in ring() })
  }
}
