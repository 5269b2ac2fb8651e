import Base
import Expressions
import Signals

/// The time that a value from outside and the turns that it causes have taken.
///
/// The clock is read once for many pieces of work, and not at all for a turn that has few. A repetition has no clock: it
/// ends turns where they were ended before.
struct TurnTimer {
  /// The longest time of a turn (`limits.turn_time`).
  var limit: Duration
  /// The clock; `nil` for turns without a limit.
  var clock: (() -> Instant)?
  /// The number of pieces of work between two readings of the clock.
  var interval = 32
  /// Called when a turn has taken too long.
  var onCut: (TurnCut) -> Void = { _ in }
  /// The recorded cuts of the present input.
  private var recorded: [TurnCut] = []
  /// The turns since the present input, with this one.
  private var turn = 0
  /// The evaluations since the present input that search texts.
  private var searches = 0
  /// The work of this turn when the clock was read last.
  private var work = 0
  /// The work until the timer has to look; outside of turns, any amount.
  private var untilLook = Int.max
  private var deadline: Instant?
  private var isOver = false

  init(limit: Duration) { self.limit = limit }

  /// Begins with an input.
  ///
  /// - Parameter recorded: Where its turns were cut before.
  mutating func beginInput(_ recorded: [TurnCut]) { (turn, searches, self.recorded) = (0, 0, recorded) }

  /// Begins with a turn.
  mutating func begin() {
    turn += 1
    work = 0
    if clock != nil {
      untilLook = interval
    } else if let cut = recorded.first(where: { !$0.isSearch && $0.turn == turn }) {
      untilLook = cut.work
    }
  }

  /// Stops with the turn and all that it has caused.
  mutating func stop() { (untilLook, deadline, isOver) = (.max, nil, false) }

  /// Counts an evaluation or a value; returns false once the turn has taken too long.
  @inline(__always)
  mutating func admitsWork() -> Bool {
    untilLook &-= 1
    return untilLook > 0 ? !isOver : look()
  }

  private mutating func look() -> Bool {
    if let now = clock?() {
      (work, untilLook) = (work + interval, interval)
      let deadline = deadline ?? now + limit
      self.deadline = deadline
      if now <= deadline { return true }
      onCut(TurnCut(turn: turn, work: work))
    }
    (untilLook, isOver) = (.max, true)
    return false
  }

  /// Begins an evaluation that searches texts, and returns the bound on that.
  mutating func beginSearch() -> SearchBound {
    searches += 1
    if clock != nil { return .time(evaluation: searches) }
    guard let cut = recorded.first(where: { $0.isSearch && $0.turn == searches }) else { return .none }
    return .cut(piece: cut.work)
  }

  /// Notes that the searches of an evaluation have taken too long.
  func cutSearch(of evaluation: Int, at piece: Int) { onCut(TurnCut(search: evaluation, piece: piece)) }

  /// The message about a turn that has taken too long.
  var overtime: String { "turn longer than \(DurationText.written(limit)) (limits.turn_time)" }
}
