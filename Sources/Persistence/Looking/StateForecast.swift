package import Journal
package import SignalGraph

/// The fate of the state in a folder, if its daemon went on with another configuration.
package struct StateForecast {
  /// The durable signals whose state is kept, in the order of the file; private ones are left out.
  package let kept: [String]
  /// The verdict on all signals, and the durable ones that would begin afresh.
  package let forecast: ReloadForecast

  /// Works out how the graphs stand, and compares.
  ///
  /// - Returns: `nil` if nothing was written yet.
  package init?(of folder: FolderReader, under new: Configuration) throws(StorageError) {
    guard let replay = try folder.atOneMoment({ () throws(StorageError) in try Replay(reading: folder) }) else {
      return nil
    }
    let old = replay.configuration
    let changes = ConfigurationChanges(
      from: old, to: new, running: old.server, generation: 1, forgetting: replay.forgotten)
    let runtime = replay.durable.runtime
    kept = changes.told.kept.filter { runtime.signal(named: $0)?.declaration.isDurable == true }
    forecast = runtime.forecast(of: changes, from: old, to: new, where: \.declaration.isDurable)
  }
}

extension Replay {
  /// Works out how the graphs of a folder stand.
  ///
  /// - Parameter prepare: Called before the first commit behind the snapshot.
  /// - Returns: `nil` if nothing was written yet.
  convenience init?(
    reading folder: some RecordedState, prepare: (Replay) -> Void = { _ in }
  ) throws(StorageError) {
    guard let snapshot = try folder.newestSnapshot() else { return nil }
    try self.init(snapshot)
    prepare(self)
    try folder.forEachCommit(after: snapshot.number) { commit throws(StorageError) in try work(out: commit) }
  }
}
