package import Signals

/// The end of a turn, or of the searches of an evaluation, at its time limit, at the same place in every repetition.
package struct TurnCut: Equatable, Sendable {
  /// The number of the turn, or of the evaluation that searches, among those of one input, from 1.
  let turn: Int
  /// The evaluations and values up to and including the first refused one, or the pieces of searching up to the last.
  let work: Int
  /// True for the searches of an evaluation.
  let isSearch: Bool

  init(turn: Int, work: Int) { (self.turn, self.work, isSearch) = (turn, work, false) }

  init(search: Int, piece: Int) { (turn, work, isSearch) = (search, piece, true) }
}

extension TurnCut: StateRecord {
  /// The bit that marks the number of an evaluation; no input causes so many turns.
  private static let searchMark: UInt64 = 1 << 62

  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    let place = try field { UInt64($0.turn) | ($0.isSearch ? Self.searchMark : 0) }
    isSearch = place & Self.searchMark != 0
    turn = Int(clamping: place & ~Self.searchMark)
    work = Int(clamping: try field { UInt64($0.work) })
  }
}
