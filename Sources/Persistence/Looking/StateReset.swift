package import Journal
import SignalGraph

/// The reset of one durable graph: its signals begin afresh when the daemon starts next, and the others go on.
package struct StateReset {
  /// The signals of the graph.
  package private(set) var signals: [String] = []
  /// The signals of other durable graphs that are computed from those, and so begin afresh as well.
  package private(set) var others: [String] = []
  /// The names of all durable graphs that have a state.
  package let graphs: [String]

  private let graph: String
  private let replay: Replay

  /// Works out what a reset would do.
  package init(of graph: String, in folder: FolderReader) throws(StorageError) {
    try self.init(graph, try folder.atOneMoment { () throws(StorageError) in try Replay(reading: folder) })
  }

  private init(_ graph: String, _ replay: Replay?) throws(StorageError) {
    guard let replay else { throw StorageError(.missing, "nothing was written there yet") }
    self.graph = graph
    self.replay = replay
    let old = replay.configuration
    graphs = old.graphs.filter { $0.durability != nil }.map(\.name)
    let own = old.graphs.first { $0.name == graph && $0.durability != nil }?.signals.filter(\.isDurable) ?? []
    signals = own.map(\.name)
    let changes = ConfigurationChanges(
      from: old, to: old, running: old.server, generation: 1, forgetting: replay.forgotten.union(signals))
    let before = ConfigurationChanges(
      from: old, to: old, running: old.server, generation: 1, forgetting: replay.forgotten)
    others = old.graphs.filter { $0.name != graph }.flatMap(\.signals)
      .filter { $0.isDurable && before.kept.contains($0.name) && !changes.kept.contains($0.name) }.map(\.name)
  }

  /// Resets a graph of a folder that no daemon has.
  ///
  /// - Returns: What it has done: nothing where there is no such graph.
  package static func carryOut(of graph: String, in path: String) throws(StorageError) -> StateReset {
    // It must not make a folder.
    _ = try FolderReader(path)
    let folder = try StateFolder(path)
    let reset = try StateReset(graph, try Replay(reading: folder))
    if !reset.signals.isEmpty { try folder.write(reset.replay.snapshot(resetting: graph, reset.signals)) }
    return reset
  }
}

extension Replay {
  /// A snapshot of how the graphs stand.
  func snapshot() -> Snapshot { snapshot(stored) }

  fileprivate func snapshot(resetting graph: String, _ signals: [String]) -> Snapshot {
    durable.forgetMessages(of: graph)
    return snapshot(stored.forgetting(Set(signals)))
  }

  private func snapshot(_ configuration: StoredConfiguration) -> Snapshot {
    Snapshot(lastCommit, at: durable.time.microseconds, of: durable, owing: owed, configuration)
  }
}

extension StateFolder {
  /// Writes a snapshot, and waits until it is on the disk.
  func write(_ snapshot: Snapshot) throws(StorageError) {
    let writer = try makeWriter {}
    writer.append(snapshot, keeping: [.everything])
    writer.close()
    if let failure = writer.progress.failure { throw failure }
  }
}

extension HistoryBound {
  /// Nothing goes.
  static let everything = HistoryBound(age: nil, size: nil)
}
