package import Signals

/// The end of a turn at its time limit, at the same place in every repetition.
package struct TurnCut: Equatable, Sendable {
  /// The number of the turn among those of one input, from 1.
  let turn: Int
  /// The evaluations and values up to and including the first refused one.
  let work: Int
}

extension TurnCut: StateRecord {
  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    turn = Int(clamping: try field { UInt64($0.turn) })
    work = Int(clamping: try field { UInt64($0.work) })
  }
}
