import Signals

/// The part of a message of several values that has been carried out, of one that is carried out in slices.
struct MessageProgress: Equatable {
  /// The messages that may be under way in a graph; past this the one that sorts first is forgotten.
  static let most = 1024

  let signal: String
  /// The values that were taken, from the first one on.
  let count: UInt64
  /// The number of the last value that they made on the signal, if they made one.
  let sequence: UInt64?
}

extension MessageProgress: StateRecord {
  init(_ field: inout StateCoder<Self>) throws(StateError) {
    signal = try field(\.signal)
    count = try field(\.count)
    sequence = try field(\.sequence)
  }
}
