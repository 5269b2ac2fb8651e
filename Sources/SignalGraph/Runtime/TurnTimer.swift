import ReactiveCore

/// The time that a value from outside and the turns that it causes have taken.
///
/// The clock is read once for many pieces of work, and not at all for a turn that has few.
struct TurnTimer {
  /// The longest time of a turn (`limits.turn_time`).
  var limit: Duration
  /// The clock; `nil` for turns without a limit, such as those that are repeated: they have to end where they did.
  var clock: (() -> Instant)?
  private var work = 0
  private var isLimited = true
  private var deadline: Instant?
  private var isOver = false

  init(limit: Duration) { self.limit = limit }

  /// The number of pieces of work between two readings of the clock.
  private static let interval = 32

  /// Begins another turn; one in which signals start has no limit, since their first values come only once.
  mutating func begin(isLimited: Bool) {
    (work, self.isLimited) = (0, isLimited)
    guard deadline != nil else { return }
    (deadline, isOver) = (nil, false)
  }

  /// Counts an evaluation or a value; returns false once the turn has taken too long.
  @inline(__always)
  mutating func admitsWork() -> Bool {
    work &+= 1
    return work % Self.interval != 0 ? !isOver : look()
  }

  private mutating func look() -> Bool {
    guard isLimited, let now = clock?() else { return true }
    if let deadline { isOver = isOver || now > deadline } else { deadline = now + limit }
    return !isOver
  }
}
