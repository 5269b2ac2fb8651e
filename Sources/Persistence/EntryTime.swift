import ReactiveCore

/// When something enters, by both clocks: each entry is written with the difference from the one before.
struct EntryTime: Equatable {
  /// By the clock of the durable graphs, which goes on over restarts.
  var instant: Instant = .zero
  /// In microseconds since 1970.
  var microseconds: Int64 = 0

  /// How far civil time is ahead of that clock, in seconds.
  var wallOffset: Double { Double(microseconds) / 1e6 - Double(instant.nanoseconds) / 1e9 }

  func store(in writer: inout StateWriter, after earlier: EntryTime) {
    writer.signed(instant.nanoseconds - earlier.instant.nanoseconds)
    writer.signed(microseconds - earlier.microseconds)
  }

  init(instant: Instant = .zero, microseconds: Int64 = 0) {
    self.instant = instant
    self.microseconds = microseconds
  }

  init(from reader: inout StateReader, after earlier: EntryTime) throws(StateError) {
    instant = Instant(nanoseconds: earlier.instant.nanoseconds &+ (try reader.signed()))
    microseconds = earlier.microseconds &+ (try reader.signed())
  }
}
