import JSON
import ReactiveCore

/// The values that a signal remembers.
final class SignalMemory {
  /// The values that newcomers are given.
  var retention: Retention
  /// Whether somebody may want to know what the signal made in the present turn.
  var isRecorded: Bool
  /// The events of the present turn, where they are recorded.
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

  func store(in writer: inout StateWriter) {
    isRecorded.store(in: &writer)
    retention.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    // A signal that has it recorded may have run, and run again, only for a while.
    isRecorded = try Bool(from: &reader)
    try retention.restore(from: &reader)
  }

  /// Forgets the present turn: what made its values does not run any more.
  func forgetTurn() { presentTurn = [] }
}
