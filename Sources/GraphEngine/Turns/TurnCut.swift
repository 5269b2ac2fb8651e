package import ReactiveCore

/// The end of a turn at its time limit, at the same place in every repetition.
package struct TurnCut: Equatable, Sendable {
  /// The number of the turn among those of one input, from 1.
  let turn: Int
  /// The evaluations and values up to and including the first refused one.
  let work: Int
}

extension TurnCut: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    writer.count(turn)
    writer.count(work)
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    (turn, work) = (Int(clamping: try reader.number()), Int(clamping: try reader.number()))
  }
}
