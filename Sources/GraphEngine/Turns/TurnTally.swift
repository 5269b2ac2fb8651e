import GraphModel

/// The events that the signals of one graph have emitted in the present turn.
///
/// Each graph has its own, so that none uses up the limit of another.
final class TurnTally {
  private var turn: UInt64 = 0
  private var values = 0
  private var runs = 0

  /// Exempts the first value of a signal that starts in a turn: a graph of any size can emit all its first values.
  func expectFirstValue(in turn: UInt64) {
    begin(turn)
    values -= 1
  }

  /// Counts a value of a turn; returns `false` if there have been too many.
  func admitsValue(in turn: UInt64, limit: Int) -> Bool {
    begin(turn)
    values += 1
    return values <= limit
  }

  /// Counts a start in a turn; returns the failure if there have been too many.
  func refusalOfRun(in turn: UInt64, limit: Int) -> SignalFailure? {
    begin(turn)
    runs += 1
    guard runs > limit else { return nil }
    return SignalFailure(code: "overflow", message: "more than \(limit) signals started in one turn")
  }

  @inline(__always)
  private func begin(_ turn: UInt64) {
    guard turn != self.turn else { return }
    (self.turn, values, runs) = (turn, 0, 0)
  }
}
