import GraphModel
import StateLog

/// The history that the durable graphs of a home retain together, since they share one log.
struct KeptHistory {
  /// The bounds of all graphs: history that one of them retains is kept.
  let bounds: [HistoryBound]
  /// The greatest size of entries and the time between snapshots.
  ///
  /// History is removed from snapshot to snapshot, so these determine how far it exceeds its bounds.
  private let bytes: Int
  let microseconds: Int64
  /// The least size of entries between snapshots: a look back replays the entries after one.
  private let leastBytes: Int

  init(_ graphs: [GraphDeclaration]) {
    let histories = graphs.compactMap { $0.durability?.history }
    bounds = histories.map { HistoryBound(age: $0.age, size: $0.size) }
    bytes = histories.compactMap(\.size).reduce(DurableGraphs.snapshotInterval) { min($0, $1 / 8) }
    leastBytes = histories.isEmpty ? bytes : min(bytes, 512 << 10)
    microseconds = histories.compactMap(\.age).reduce(.max) { min($0, Int64($1 / .microseconds(8))) }
  }

  /// Returns the size of entries after which a snapshot is due.
  ///
  /// - Parameter snapshot: The size of the last one; snapshots take a sixteenth of the space at most, unless history is
  ///   short.
  func bytes(after snapshot: Int) -> Int { min(bytes, max(leastBytes, snapshot * 16)) }
}
