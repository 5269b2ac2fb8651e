package import GraphModel
package import Signals

/// The record of a signal's end: the ending, its time, and the other signal that caused it.
///
/// It is a class, since most signals never have one.
package final class SignalEnd: Sendable {
  package let ending: SignalEnding
  /// The time in microseconds since 1970.
  package let time: Int64
  /// The signal whose ending caused this one, if it is computed from one.
  package let cause: String?
  /// The number of the ending among those of all signals.
  let number: UInt64
  /// The turn in which it ended.
  let turn: UInt64

  init(ending: SignalEnding, time: Int64, cause: String?, number: UInt64, turn: UInt64) {
    self.ending = ending
    self.time = time
    self.cause = cause
    self.number = number
    self.turn = turn
  }

  /// Returns true if it caused the ending, in a turn, of another signal that is computed from this one.
  ///
  /// A failure stays the same downstream, even for a signal that connects later. Other endings are all alike, so that
  /// they have to occur in the same turn.
  func explains(_ other: SignalEnding, in turn: UInt64) -> Bool {
    guard ending == other else { return false }
    if case .failed = other { return true }
    return self.turn == turn
  }
}

extension SignalEnd: StateRecord {
  package convenience init(_ field: inout StateCoder<SignalEnd>) throws(StateError) {
    self.init(
      ending: try field(\.ending), time: try field(\.time), cause: try field(\.cause), number: try field(\.number),
      turn: try field(\.turn))
  }
}
