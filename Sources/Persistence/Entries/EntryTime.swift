import Signals

/// The time of an entry by both clocks, encoded as the difference from the previous entry.
struct EntryTime: Equatable {
  /// By the clock of the durable graphs, which continues across restarts.
  var instant: Instant = .zero
  /// The time in microseconds since 1970.
  var microseconds: Int64 = 0

  /// The lead of civil time over that clock, in seconds.
  var wallOffset: Double { Double(microseconds) / 1e6 - Double(instant.nanoseconds) / 1e9 }

  /// Returns true if both clocks have advanced equally, to a millisecond.
  func isSteady(since earlier: EntryTime) -> Bool {
    let moved = instant.nanoseconds &- earlier.instant.nanoseconds
    return ((microseconds &- earlier.microseconds) &* 1000 &- moved).magnitude < 1_000_000
  }

  func encode(to writer: inout StateEncoder, after earlier: EntryTime) {
    writer.signed(instant.nanoseconds - earlier.instant.nanoseconds)
    writer.signed(microseconds - earlier.microseconds)
  }

  init(instant: Instant = .zero, microseconds: Int64 = 0) {
    self.instant = instant
    self.microseconds = microseconds
  }

  init(from reader: inout StateDecoder, after earlier: EntryTime) throws(StateError) {
    instant = Instant(nanoseconds: earlier.instant.nanoseconds &+ (try reader.signed()))
    microseconds = earlier.microseconds &+ (try reader.signed())
  }
}
