import SignalGraph
import StateLog

/// The history that durable graphs retain together, since they share one log.
struct KeptHistory {
  /// The bounds of all graphs: history that one of them retains is kept.
  let bounds: [HistoryBound]
  /// The size of entries and the time between snapshots.
  ///
  /// History is removed from snapshot to snapshot, so these determine how far it exceeds its bounds.
  let bytes: Int
  let microseconds: Int64

  init(_ configuration: Configuration) {
    let histories = configuration.graphs.compactMap { $0.durability?.history }
    bounds = histories.map { HistoryBound(age: $0.age, size: $0.size) }
    bytes = histories.compactMap(\.size).reduce(DurableGraphs.snapshotInterval) { min($0, $1 / 8) }
    microseconds = histories.compactMap(\.age).reduce(.max) { min($0, Int64($1 / .microseconds(8))) }
  }
}
