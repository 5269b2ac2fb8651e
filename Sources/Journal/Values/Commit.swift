/// A commit is what one transaction adds to the journal.
package struct Commit: Sendable, Equatable {
  /// Its number: from 1, without gaps.
  package let number: UInt64
  /// Its moment, in microseconds since 1970.
  package let time: Int64
  /// How many entries are packed in it.
  package let count: Int
  /// The entries, whose form this layer does not know.
  package let entries: [UInt8]
  /// The rolling hash of all that was emitted up to its end.
  package let hash: UInt64

  package init(number: UInt64, time: Int64, count: Int, entries: [UInt8], hash: UInt64) {
    self.number = number
    self.time = time
    self.count = count
    self.entries = entries
    self.hash = hash
  }
}
