/// The position of a stream in one signal.
struct EventPlace: Equatable {
  /// The number of the last value that was delivered.
  var seq: UInt64
  /// The epoch that the number belongs to.
  var epoch: String
  /// True once the end of the signal was delivered.
  var isEnded = false
}
