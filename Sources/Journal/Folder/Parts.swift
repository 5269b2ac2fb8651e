/// The parts of a snapshot's state: their numbers follow one another.
struct Parts: Equatable {
  var first: Int64
  var count: Int

  /// The number after the last.
  var end: Int64 { first + Int64(count) }
}
