import Journal
import SignalGraph

/// The past that durable graphs keep together, since one journal is kept for all of them.
struct KeptHistory {
  /// The bounds of all graphs: what one of them keeps is kept.
  let bounds: [HistoryBound]
  /// After how many bytes of entries, and after what time, a snapshot is taken.
  ///
  /// The past goes from one snapshot to the next, so these make out how far it goes beyond its bounds.
  let bytes: Int
  let microseconds: Int64

  init(_ configuration: Configuration) {
    let histories = configuration.graphs.compactMap { $0.durability?.history }
    bounds = histories.map { HistoryBound(age: $0.age, size: $0.size) }
    bytes = histories.compactMap(\.size).reduce(DurableGraphs.snapshotInterval) { min($0, $1 / 8) }
    microseconds = histories.compactMap(\.age).reduce(.max) { min($0, Int64($1 / .microseconds(8))) }
  }
}
