/// The reason why a log cannot be read on: the servers have lost or changed what they had acknowledged.
package struct LogDamage: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sequences that are missing or invalid.
  package let sequences: ClosedRange<UInt64>
  package let finding: String
  /// The number of the last commit before the damage.
  package let soundCommit: UInt64

  package var description: String {
    let place =
      sequences.count == 1
      ? "sequence \(sequences.lowerBound)" : "sequences \(sequences.lowerBound) to \(sequences.upperBound)"
    return "damage at \(place) of the log: \(finding); commits up to \(soundCommit) are sound"
  }
}
