/// The events that the signals of one graph have made in the present turn.
///
/// Each graph has its own, so that none takes what another may make.
final class TurnTally {
  private var turn: UInt64 = 0
  private var values = 0
  private var runs = 0

  /// A signal starts in a turn: its first value is free, so that a graph of any size has all its first values.
  func expectFirstValue(in turn: UInt64) {
    begin(turn)
    values -= 1
  }

  /// Counts a value of a turn; `false` when there have been too many.
  func admitsValue(in turn: UInt64, limit: Int) -> Bool {
    begin(turn)
    values += 1
    return values <= limit
  }

  /// Counts something that is started in a turn; why it must not be, when there has been too much.
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
