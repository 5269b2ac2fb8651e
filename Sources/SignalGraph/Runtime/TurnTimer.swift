import Base
import ReactiveCore

/// The time that a value from outside and the turns that it causes have taken.
///
/// The clock is read once for many pieces of work, and not at all for a turn that has few.
struct TurnTimer {
  /// The longest time of a turn (`limits.turn_time`).
  var limit: Duration
  /// The clock; `nil` for turns without a limit, such as those that are repeated: they have to end where they did.
  var clock: (() -> Instant)?
  /// False outside of turns, where nothing accumulates.
  private var isRunning = false
  private var work = 0
  private var deadline: Instant?
  private var isOver = false

  init(limit: Duration) { self.limit = limit }

  /// The number of pieces of work between two readings of the clock.
  private static let interval = 32

  /// Begins with a turn.
  mutating func begin() { (isRunning, work) = (true, 0) }

  /// Stops with the turn and all that it has caused.
  mutating func stop() {
    isRunning = false
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
    guard isRunning, let now = clock?() else { return true }
    if let deadline { isOver = isOver || now > deadline } else { deadline = now + limit }
    return !isOver
  }

  /// The message about a turn that has taken too long.
  var overtime: String { "turn longer than \(DurationText.written(limit)) (limits.turn_time)" }
}
