/// The parts of a snapshot's state, numbered consecutively.
struct Parts: Equatable {
  var first: Int64
  var count: Int

  /// The number after the last one.
  var end: Int64 { first + Int64(count) }
}
