/// How far a stream has come with one signal.
struct EventPlace: Equatable {
  /// The number of the last value that was told.
  var seq: UInt64
  /// The epoch that the number belongs to.
  var epoch: String
  /// Whether the end of the signal was told.
  var isEnded = false
}
