/// The content of one transaction of the state log.
package struct Commit: Sendable, Equatable {
  /// The sequence number: from 1, without gaps.
  package let number: UInt64
  /// The time, in microseconds since 1970.
  package let time: Int64
  /// The number of entries.
  package let count: Int
  /// The encoded entries, opaque to this layer.
  package let entries: [UInt8]
  /// The rolling hash of all events up to its end.
  package let hash: UInt64

  package init(number: UInt64, time: Int64, count: Int, entries: [UInt8], hash: UInt64) {
    self.number = number
    self.time = time
    self.count = count
    self.entries = entries
    self.hash = hash
  }
}
