/// The reason why a log cannot be read on: the servers have lost or changed what they had acknowledged.
package struct LogDamage: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sequences that are missing or invalid.
  package let sequences: ClosedRange<UInt64>
  package let finding: String
  /// The number of the last commit before the damage; of a log that is gone, its last one.
  package let soundCommit: UInt64
  /// True if nothing of the log is left.
  package let isWhole: Bool

  package init(sequences: ClosedRange<UInt64>, finding: String, soundCommit: UInt64, isWhole: Bool = false) {
    self.sequences = sequences
    self.finding = finding
    self.soundCommit = soundCommit
    self.isWhole = isWhole
  }

  package var description: String {
    if isWhole {
      return "the log is gone: \(finding); it ended at sequence \(sequences.upperBound), with commit \(soundCommit)"
    }
    let place =
      sequences.count == 1
      ? "sequence \(sequences.lowerBound)" : "sequences \(sequences.lowerBound) to \(sequences.upperBound)"
    return "damage at \(place) of the log: \(finding); commits up to \(soundCommit) are sound"
  }
}
