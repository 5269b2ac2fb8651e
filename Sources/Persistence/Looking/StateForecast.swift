package import GraphEngine
package import GraphModel
package import StateLog

/// The effect of another configuration on the state in a folder.
package struct StateForecast {
  /// The durable signals whose state is kept, in the order of the file, without private ones.
  package let kept: [String]
  /// The forecast for all signals, including the durable ones that would be reset.
  package let forecast: ReloadForecast

  /// Recovers the graphs and compares configurations.
  ///
  /// - Returns: `nil` if the folder has no state.
  package init?(of folder: FolderReader, under new: Configuration) throws(StorageError) {
    guard let replay = try folder.atOneMoment({ () throws(StorageError) in try Replay(reading: folder) }) else {
      return nil
    }
    let old = replay.configuration
    let changes = ConfigurationChanges(
      from: old, to: new, running: old.server, generation: 1, discarding: replay.discarded)
    let runtime = replay.durable.runtime
    kept = changes.published.kept.filter { runtime.signal(named: $0)?.isOriginal == true }
    forecast = runtime.forecast(of: changes, from: old, to: new, where: \.isOriginal)
  }
}

extension Replay {
  /// Recovers the graphs of a folder.
  ///
  /// - Parameter prepare: Called before the first commit after the snapshot.
  /// - Returns: `nil` if the folder has no state.
  convenience init?(
    reading folder: some RecordedState, prepare: (Replay) -> Void = { _ in }
  ) throws(StorageError) {
    guard let snapshot = try folder.newestSnapshot() else { return nil }
    try self.init(snapshot)
    prepare(self)
    try folder.forEachCommit(after: snapshot.number) { commit throws(StorageError) in try work(out: commit) }
  }
}
