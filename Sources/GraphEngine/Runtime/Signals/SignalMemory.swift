import GraphModel
import JSON
import Signals

/// The values that a signal remembers.
final class SignalMemory: StateFields {
  /// The values for new subscribers.
  var retention: Retention
  /// True if the values of the present turn are recorded.
  var isRecorded: Bool
  /// The values of the present turn, if recorded.
  private(set) var presentTurn: [Retention.Entry] = []

  init(_ policy: RetentionPolicy, isRecorded: Bool) {
    retention = Retention(policy)
    self.isRecorded = isRecorded
  }

  func append(_ payload: Payload, sequence: UInt64, in engine: GraphEngine) {
    retention.append(payload, sequence: sequence, at: engine.clock)
    guard isRecorded else { return }
    if presentTurn.isEmpty { engine.turns.atTurnEnd { [self] in presentTurn = [] } }
    presentTurn.append(Retention.Entry(sequence: sequence, payload: payload, time: engine.clock.microseconds))
  }

  func code(_ field: inout StateCoder<SignalMemory>) throws(StateError) {
    // The signal that requested the recording may run only at times.
    try field(&isRecorded)
    try field(&retention)
  }

  /// Discards the values of the present turn: the body that made them no longer runs.
  func discardTurn() { presentTurn = [] }
}
