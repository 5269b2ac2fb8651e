import GraphEngine
import GraphModel
package import StateLog

/// The reset of one durable graph: its signals start without a state at the next start of the daemon; the others
/// resume.
package struct StateReset {
  /// The signals of the graph.
  package private(set) var signals: [String] = []
  /// The dependents in other durable graphs, which are reset as well.
  package private(set) var others: [String] = []
  /// The names of all durable graphs with a state.
  package let graphs: [String]
  /// The repair of the folder before; `nil` if it was not damaged.
  package private(set) var repair: StateRepair?

  private let graph: String
  private let replay: Replay

  /// Determines the effects of a reset, and of the repair before it if the folder is damaged.
  package init(of graph: String, in folder: FolderReader) throws(StorageError) {
    let (replay, repair) = try Self.replay(folder)
    try self.init(graph, replay)
    self.repair = repair
  }

  private static func replay(_ folder: FolderReader) throws(StorageError) -> (Replay?, StateRepair?) {
    do throws(StorageError) {
      return (try folder.atOneMoment { () throws(StorageError) in try Replay(reading: folder) }, nil)
    } catch {
      guard error.kind == .damaged else { throw error }
      let repair = try StateRepair(of: folder)
      return (repair.replay, repair)
    }
  }

  private init(_ graph: String, _ replay: Replay?) throws(StorageError) {
    guard let replay else { throw StorageError(.missing, "the state folder is empty") }
    self.graph = graph
    self.replay = replay
    let old = replay.configuration
    let home = replay.origin.home
    graphs = old.graphs(in: home).map(\.name)
    let own = old.graphs(in: home).first { $0.name == graph }?.signals.filter(\.isDurable) ?? []
    signals = own.map(\.name)
    let changes = ConfigurationChanges(
      from: old, to: old, running: old.server, generation: 1, discarding: replay.discarded.union(signals))
    let before = ConfigurationChanges(
      from: old, to: old, running: old.server, generation: 1, discarding: replay.discarded)
    others = old.graphs.filter { $0.name != graph }.flatMap(\.signals)
      .filter { $0.home == home && before.kept.contains($0.name) && !changes.kept.contains($0.name) }.map(\.name)
  }

  /// Resets a graph in a folder that no daemon has open; a damaged one is repaired first, since all graphs share one log.
  ///
  /// - Returns: The reset performed; empty if there is no such graph.
  package static func carryOut(of graph: String, in path: String) throws(StorageError) -> StateReset {
    // Fails without a folder instead of creating one.
    let reader = try FolderReader(path)
    do throws(StorageError) {
      return try reset(graph, in: path)
    } catch {
      guard error.kind == .damaged else { throw error }
      let forecast = try StateReset(of: graph, in: reader)
      if forecast.signals.isEmpty { return forecast }
      let repair = try StateRepair.carryOut(in: path)
      var reset = try reset(graph, in: path)
      reset.repair = repair
      return reset
    }
  }

  private static func reset(_ graph: String, in path: String) throws(StorageError) -> StateReset {
    let folder = try StateFolder(path)
    let reset = try StateReset(graph, try Replay(reading: folder))
    if !reset.signals.isEmpty { try folder.write(reset.replay.snapshot(resetting: graph, reset.signals)) }
    return reset
  }
}

extension Replay {
  /// Returns a snapshot of the current state.
  func snapshot() -> Snapshot { snapshot(stored) }

  fileprivate func snapshot(resetting graph: String, _ signals: [String]) -> Snapshot {
    durable.removeMessages(of: graph)
    return snapshot(stored.discarding(Set(signals)))
  }

  private func snapshot(_ configuration: StoredConfiguration) -> Snapshot {
    Snapshot(lastCommit, at: durable.time.microseconds, of: durable, owing: owed, configuration)
  }
}

extension StateFolder {
  /// Writes a snapshot and waits until it is on disk.
  func write(_ snapshot: Snapshot) throws(StorageError) {
    let writer = try makeWriter {}
    writer.append(snapshot, keeping: [.everything])
    writer.close()
    if let failure = writer.progress.failure { throw failure }
  }
}

extension HistoryBound {
  /// Removes nothing.
  static let everything = HistoryBound(age: nil, size: nil)
}
