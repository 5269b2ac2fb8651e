package import ReactiveCore

/// That a signal has ended: how, when, and for which other.
///
/// A class, since most signals never have one.
package final class SignalEnd: Sendable {
  package let ending: SignalEnding
  /// In microseconds since 1970.
  package let time: Int64
  /// The signal whose ending it has passed on, where it is computed from one.
  package let cause: String?
  /// Counts the endings of all signals.
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

  /// Whether another signal that is computed from this one, and ends in a turn, ends for it.
  ///
  /// A failure that is passed on stays the same, also for a signal that comes to this one later. An ending without a
  /// word tells nothing by itself, so that it has to come in the same turn.
  func explains(_ other: SignalEnding, in turn: UInt64) -> Bool {
    guard ending == other else { return false }
    if case .failed = other { return true }
    return self.turn == turn
  }
}

extension SignalEnd: Storable {
  package func store(in writer: inout StateWriter) {
    ending.store(in: &writer)
    time.store(in: &writer)
    cause.store(in: &writer)
    number.store(in: &writer)
    turn.store(in: &writer)
  }

  package convenience init(from reader: inout StateReader) throws(StateError) {
    self.init(
      ending: try SignalEnding(from: &reader), time: try Int64(from: &reader), cause: try String?(from: &reader),
      number: try UInt64(from: &reader), turn: try UInt64(from: &reader))
  }
}
