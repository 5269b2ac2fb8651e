import Queues
package import ReactiveCore

/// The clock of the graphs: it stands still until somebody advances it.
///
/// The daemon advances it to the time of day, tests to whatever time they please. Timers that are due run by due
/// time, then by declaration, then by arrival.
package final class GraphClock {
  package private(set) var now: Instant
  private var timers = TimerHeap<GraphTimer>()
  /// Those that wait for a time of day, by the civil clock.
  private var civilTimers = TimerHeap<GraphTimer>()
  private var arrivals: UInt64 = 0
  /// How many timers have led to the one that runs, each set by the one before for no time at all.
  private var chain = 0
  /// When the timer that runs, or ran last, was due, which may have been a little before it did.
  package private(set) var lastDue: Instant?

  /// As many of those may follow each other until time has to go on: a circle of them would not let anybody else in.
  private static let longestChain = 1000
  /// How far it goes on then.
  private static let pause = Duration.milliseconds(1)

  /// The offset that makes the graphs' time the time of day; it changes when the civil clock is set.
  package var wallOffset: Double {
    didSet { civilClockMoves() }
  }
  /// The same in whole microseconds, by which timers go.
  private var civilOffset: Duration
  /// The time of day in microseconds since 1970, read when the present turn began; `nil` where time is virtual.
  package var measuredTime: Int64?

  /// Notes what timers do.
  var watch: Watch?

  /// - Parameter wallOffset: Seconds since 1970 at the time 0 of the clock; 0 where time is virtual.
  package init(now: Instant, wallOffset: Double) {
    self.now = now
    self.wallOffset = wallOffset
    civilOffset = Self.civilOffset(wallOffset)
  }

  /// The time in seconds since 1970, as `now` in expressions and `timestamp` give it.
  package var seconds: Double { wallOffset + Double(now.nanoseconds) / 1e9 }

  /// The time of day in microseconds since 1970, as events and answers tell it.
  package var microseconds: Int64 { measuredTime ?? Int64((seconds * 1e6).rounded()) }

  package var nextDeadline: Instant? { first?.due }

  /// The timer that comes first, and when that is.
  private var first: (timer: GraphTimer, due: Instant)? {
    guard let civil = civilTimers.first else { return timers.first.map { ($0, $0.due) } }
    let due = civil.due - civilOffset
    guard let timer = timers.first, timer.due < due || timer.due == due && timer.isBefore(inPlace: civil) else {
      return (civil, due)
    }
    return (timer, timer.due)
  }

  /// Moves time on to `target` and runs what was due before, but not yet what is due then: inputs come first.
  ///
  /// With `stepping`, each timer sees the time that it asked for (virtual time); without, all see `target`, so that
  /// a daemon that was held up skips the ticks it missed instead of making them up.
  package func move(to target: Instant, stepping: Bool) {
    if !stepping { now = max(now, target) }
    while let (timer, due) = first, due < target { run(timer, due) }
    now = max(now, target)
  }

  /// Moves time on without running anything: what is due is left for somebody to run.
  package func skip(to target: Instant) { now = max(now, target) }

  /// Moves time on to the first timer that is due before `target`, and runs it, as `move` does when it steps.
  ///
  /// - Returns: Whether there was one.
  package func step(before target: Instant) -> Bool {
    guard let (timer, due) = first, due < target else { return false }
    run(timer, due)
    return true
  }

  /// Runs the first timer that is due now.
  ///
  /// - Returns: Whether there was one.
  package func runFirstDueTimer() -> Bool {
    guard let (timer, due) = first, due <= now else { return false }
    run(timer, due)
    return true
  }

  /// Runs what is due now.
  package func runDueTimers() {
    while let (timer, due) = first, due <= now { run(timer, due) }
  }

  private func run(_ timer: GraphTimer, _ due: Instant) {
    cancel(timer)
    now = max(now, due)
    (chain, lastDue) = (timer.chain, due)
    timer.action()
    chain = 0
  }

  /// Has an action carried out at a time, behind the timers of the graphs' places that are due then.
  func schedule(at due: Instant, action: @escaping () -> Void) -> GraphTimer {
    schedule(at: due, for: nil, action: action)
  }

  /// The same for a place in a graph; of those due at the same time the one declared first comes first.
  func schedule(at due: Instant, for place: DeclaredPlace?, action: @escaping () -> Void) -> GraphTimer {
    arrivals += 1
    let chain = due > now ? 0 : chain + 1
    let isTooLong = chain > Self.longestChain
    let timer = GraphTimer(
      due: isTooLong ? now + Self.pause : due, place: place, arrival: arrivals, chain: isTooLong ? 0 : chain,
      action: watch?.timing(due, at: place, action) ?? action)
    timers.insert(timer)
    return timer
  }

  /// Sets a timer again as it was written down.
  func schedule(_ record: TimerRecord, for place: DeclaredPlace?, action: @escaping () -> Void) -> GraphTimer {
    let timer = GraphTimer(
      due: record.due, place: place, arrival: record.arrival, chain: record.chain,
      action: watch?.timing(record.due, at: place, action) ?? action)
    timers.insert(timer)
    return timer
  }

  /// The number of one more timer, to be set later.
  func nextArrival() -> UInt64 {
    arrivals += 1
    return arrivals
  }

  func store(in writer: inout StateWriter) {
    now.store(in: &writer)
    arrivals.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    now = try Instant(from: &reader)
    arrivals = try UInt64(from: &reader)
  }

  /// Takes in that a reload has put signals into another order.
  func reorder() {
    timers.reorder()
    civilTimers.reorder()
  }

  /// A timer that was cancelled is gone at once: a debounce makes one for each value.
  func cancel(_ timer: GraphTimer) {
    if timer.recount == nil { timers.remove(timer) } else { civilTimers.remove(timer) }
  }
}

// MARK: - The civil clock

extension GraphClock {
  /// The time of day in microseconds since 1970, as timers count it.
  var civilMicroseconds: Int64 { Self.microseconds(now + civilOffset) }

  private static func microseconds(_ instant: Instant) -> Int64 {
    // Rounded down: a time has come when all of it has passed.
    let (quotient, remainder) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Has an action carried out at a time of day, for a place in a graph.
  ///
  /// - Parameter recount: Called when the clock was set back or time zones have changed; the timer is gone then.
  func schedule(
    atCivil microseconds: Int64, for place: DeclaredPlace?, recount: @escaping (_ setBack: Duration?) -> Void,
    action: @escaping () -> Void
  ) -> GraphTimer {
    let due = Instant.zero + .microseconds(microseconds)
    let record = TimerRecord(due: due, arrival: nextArrival(), chain: 0)
    return schedule(civil: record, for: place, recount: recount, action: action)
  }

  /// Sets one again as it was written down.
  func schedule(
    civil record: TimerRecord, for place: DeclaredPlace?, recount: @escaping (_ setBack: Duration?) -> Void,
    action: @escaping () -> Void
  ) -> GraphTimer {
    let timer = GraphTimer(
      due: record.due, place: place, arrival: record.arrival, chain: record.chain, recount: recount,
      action: watch?.timing(record.due, at: place, action) ?? action)
    civilTimers.insert(timer)
    return timer
  }

  /// Has all who wait for a time of day ask for another one.
  func recount(setBack: Duration? = nil) {
    var waiting: [GraphTimer] = []
    while let timer = civilTimers.first {
      civilTimers.remove(timer)
      waiting.append(timer)
    }
    for timer in waiting { timer.recount?(setBack) }
  }

  /// Between two looks at both clocks as much may pass.
  private static let tolerance = Duration.seconds(1)

  private func civilClockMoves() {
    let before = civilOffset
    civilOffset = Self.civilOffset(wallOffset)
    if before - civilOffset > Self.tolerance { recount(setBack: before - civilOffset) }
  }

  /// The offset in whole microseconds, within 200 years: a damaged state may give any.
  private static func civilOffset(_ seconds: Double) -> Duration {
    .microseconds(Int64(max(-6.3e15, min((seconds * 1e6).rounded(), 6.3e15))))
  }

  /// When the next timer is due if the civil clock is so far ahead; now, if that shows that it was set back.
  package func nextDeadline(atOffset offset: Double) -> Instant? {
    guard let civil = civilTimers.first else { return timers.first?.due }
    let offset = Self.civilOffset(offset)
    if civilOffset - offset > Self.tolerance { return now }
    let due = civil.due - offset
    return timers.first.map { min($0.due, due) } ?? due
  }
}
