import Base
package import Signals

/// The clock of the graphs, which moves only when it is advanced.
///
/// The daemon advances it to the time of day, tests to any time. Timers that are due run by due time, then by
/// declaration, then by arrival.
package final class GraphClock: StateFields {
  package private(set) var now: Instant
  private var timers = IndexedHeap<GraphTimer>()
  /// The timers for a time of day, by the civil clock.
  private var civilTimers = IndexedHeap<GraphTimer>()
  private var arrivals: UInt64 = 0
  /// The number of timers that led to the running one, each set by its predecessor without a delay.
  private var chain = 0
  /// The due time of the timer that runs or ran last, which may be slightly earlier than the run.
  package private(set) var lastDue: Instant?
  private var isRunningTimer = false
  /// The rules that the graphs follow.
  var rules = GraphRules.present

  /// The longest chain of such timers before time must advance: an endless one would starve everything else.
  private static let longestChain = 1000
  /// The advance of time that breaks a chain.
  private static let pause = Duration.milliseconds(1)

  /// The offset from the graphs' time to the time of day; it changes when the civil clock is set.
  package var wallOffset: Double {
    didSet { civilClockMoves() }
  }
  /// The offset in whole microseconds, for timers.
  private var civilOffset: Duration
  /// The time of day in microseconds since 1970, read when the present turn began; `nil` in virtual time.
  package var measuredTime: Int64?

  /// Notes what timers do.
  var recorder: (any GraphWatch)?

  /// - Parameter wallOffset: Seconds since 1970 at the time 0 of the clock; 0 in virtual time.
  package init(now: Instant, wallOffset: Double) {
    self.now = now
    self.wallOffset = wallOffset
    civilOffset = Self.civilOffset(wallOffset)
  }

  /// The time in seconds since 1970, for `now` in expressions and for `timestamp`.
  package var seconds: Double { wallOffset + Double(now.nanoseconds) / 1e9 }

  /// The time of day in microseconds since 1970, for events and answers.
  package var microseconds: Int64 { measuredTime ?? Int64((seconds * 1e6).rounded()) }

  package var nextDeadline: Instant? { first?.due }

  /// The next timer and its due time.
  private var first: (timer: GraphTimer, due: Instant)? {
    guard let civil = civilTimers.first else { return timers.first.map { ($0, $0.due) } }
    let due = civil.due - civilOffset
    guard let timer = timers.first, timer.due < due || timer.due == due && timer.isBefore(inPlace: civil) else {
      return (civil, due)
    }
    return (timer, timer.due)
  }

  /// Advances to `target` and runs the timers due before it, but not yet those due then: inputs come first.
  ///
  /// With `stepping`, each timer runs at the time that it asked for (virtual time); without, all run at `target`, so
  /// that a delayed daemon skips the ticks it missed instead of catching up.
  package func move(to target: Instant, stepping: Bool) {
    if !stepping { now = max(now, target) }
    while let (timer, due) = first, due < target { run(timer, due) }
    now = max(now, target)
  }

  /// Advances time without running anything; timers that are due are left to the caller.
  package func skip(to target: Instant) { now = max(now, target) }

  /// Advances to the first timer that is due before `target` and runs it, as `move` does with `stepping`.
  ///
  /// - Returns: True if there was one.
  package func step(before target: Instant) -> Bool {
    guard let (timer, due) = first, due < target else { return false }
    run(timer, due)
    return true
  }

  /// Runs the first timer that is due now.
  ///
  /// - Returns: True if there was one.
  package func runFirstDueTimer() -> Bool {
    guard let (timer, due) = first, due <= now else { return false }
    run(timer, due)
    return true
  }

  /// Runs the timers that are due now.
  package func runDueTimers() {
    while let (timer, due) = first, due <= now { run(timer, due) }
  }

  private func run(_ timer: GraphTimer, _ due: Instant) {
    cancel(timer)
    now = max(now, due)
    (chain, lastDue, isRunningTimer) = (timer.chain, due, true)
    timer.act()
    (chain, isRunningTimer) = (0, false)
  }

  /// Returns the moment that a timer due at `due` acts for: however late it runs, later work is not its own.
  package func moment(ofTimerDue due: Instant) -> Instant { rules == .first ? now : due }

  /// Returns the number of timers without a delay that led to one that is set now.
  ///
  /// A late timer may set one that is due in the meantime; that counts as progress of time.
  private func chain(to due: Instant) -> Int {
    let present = isRunningTimer ? moment(ofTimerDue: lastDue ?? now) : now
    return due > present ? 0 : chain + 1
  }

  /// Schedules an action, after the timers of the graphs' places that are due at the same time.
  func schedule(at due: Instant, action: @escaping () -> Void) -> GraphTimer {
    schedule(at: due, for: nil, action: action)
  }

  /// Schedules an action for a place in a graph; of those due at the same time, the one declared first runs first.
  ///
  /// - Parameter turns: The turns that the action is one of; the timer is then cancelled by disposing of it.
  func schedule(
    at due: Instant, for place: DeclaredPlace?, in turns: Turns? = nil, action: @escaping () -> Void
  ) -> GraphTimer {
    arrivals += 1
    let chain = chain(to: due)
    let isTooLong = chain > Self.longestChain
    return schedule(
      TimerRecord(due: isTooLong ? now + Self.pause : due, arrival: arrivals, chain: isTooLong ? 0 : chain), for: place,
      in: turns, recordedAs: due, action: action)
  }

  /// Schedules a saved timer again.
  func schedule(
    _ record: TimerRecord, for place: DeclaredPlace?, in turns: Turns? = nil, action: @escaping () -> Void
  ) -> GraphTimer {
    schedule(record, for: place, in: turns, recordedAs: record.due, action: action)
  }

  private func schedule(
    _ record: TimerRecord, for place: DeclaredPlace?, in turns: Turns?, recordedAs due: Instant,
    action: @escaping () -> Void
  ) -> GraphTimer {
    var (turns, action) = (turns, action)
    let clock = turns == nil ? nil : self
    if let recorder {
      if let turn = turns.take() { action = { [action] in turn.run(action) } }
      action = recorder.timing(due, at: place, action)
    }
    let timer = GraphTimer(
      due: record.due, place: place, arrival: record.arrival, chain: record.chain, in: turns, of: clock, action: action)
    timers.insert(timer)
    return timer
  }

  /// Returns the arrival number of a timer to be set later.
  package func nextArrival() -> UInt64 {
    arrivals += 1
    return arrivals
  }

  package func code(_ field: inout StateCoder<GraphClock>) throws(StateError) {
    try field(&now)
    try field(&arrivals)
  }

  /// Sorts the timers again after a reload has changed the order of the signals.
  func reorder() {
    timers.reorder()
    civilTimers.reorder()
  }

  /// Removes a cancelled timer at once: a debounce makes one for each value.
  func cancel(_ timer: GraphTimer) {
    if timer.recount == nil { timers.remove(timer) } else { civilTimers.remove(timer) }
  }
}

// MARK: - The civil clock

extension GraphClock {
  /// The time of day in microseconds since 1970, as timers count it.
  package var civilMicroseconds: Int64 { Self.microseconds(now + civilOffset) }

  private static func microseconds(_ instant: Instant) -> Int64 {
    // Rounded down: a time is reached once all of it has passed.
    let (quotient, remainder) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Schedules an action at a time of day, for a place in a graph.
  ///
  /// - Parameter recount: Called when the clock was set back or time zones have changed; the timer has been removed
  ///   then.
  func schedule(
    atCivil microseconds: Int64, for place: DeclaredPlace?, recount: @escaping (_ setBack: Duration?) -> Void,
    action: @escaping () -> Void
  ) -> GraphTimer {
    let due = Instant.zero + .microseconds(microseconds)
    let record = TimerRecord(due: due, arrival: nextArrival(), chain: 0)
    return schedule(civil: record, for: place, recount: recount, action: action)
  }

  /// Schedules a saved civil timer again.
  func schedule(
    civil record: TimerRecord, for place: DeclaredPlace?, recount: @escaping (_ setBack: Duration?) -> Void,
    action: @escaping () -> Void
  ) -> GraphTimer {
    let timer = GraphTimer(
      due: record.due, place: place, arrival: record.arrival, chain: record.chain, recount: recount,
      action: recorder?.timing(record.due, at: place, action) ?? action)
    civilTimers.insert(timer)
    return timer
  }

  /// Removes all civil timers and lets their owners compute other times.
  func recount(setBack: Duration? = nil) {
    var waiting: [GraphTimer] = []
    while let timer = civilTimers.first {
      civilTimers.remove(timer)
      waiting.append(timer)
    }
    for timer in waiting { timer.recount?(setBack) }
  }

  /// The longest time that may pass between reading the two clocks.
  private static let tolerance = Duration.seconds(1)

  private func civilClockMoves() {
    let before = civilOffset
    civilOffset = Self.civilOffset(wallOffset)
    if before - civilOffset > Self.tolerance { recount(setBack: before - civilOffset) }
  }

  /// Returns the offset in whole microseconds, within 200 years: a damaged state may contain any value.
  private static func civilOffset(_ seconds: Double) -> Duration {
    .microseconds(Int64(max(-6.3e15, min((seconds * 1e6).rounded(), 6.3e15))))
  }

  /// Returns the due time of the next timer under an offset of the civil clock; now, if that shows a clock set back.
  package func nextDeadline(atOffset offset: Double) -> Instant? {
    guard let civil = civilTimers.first else { return timers.first?.due }
    let offset = Self.civilOffset(offset)
    if civilOffset - offset > Self.tolerance { return now }
    let due = civil.due - offset
    return timers.first.map { min($0.due, due) } ?? due
  }
}
