/// The number of series of all metrics, with their limit.
package final class SeriesLedger {
  /// The maximum number of series (`limits.series`).
  package internal(set) var limit: Int
  package internal(set) var count = 0
  /// The number of values whose series had no place.
  package internal(set) var dropped: UInt64 = 0
  /// The number of values without a number or with an unusable label.
  package internal(set) var refused: UInt64 = 0

  init(limit: Int) { self.limit = limit }
}
