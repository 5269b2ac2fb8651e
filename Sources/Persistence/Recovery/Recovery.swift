package import GraphModel
import Signals
package import StateLog

/// The recovery of the durable graphs of a home from its state log, in slices.
///
/// It takes what is read of the log as it arrives, a snapshot and the commits after it, and owes nothing between two of
/// them: its owner decides how many it takes at a time.
package struct Recovery {
  private let home: Home
  /// The configuration to run.
  private let configuration: Configuration
  private var replay: Replay?
  /// The number of entries replayed.
  package private(set) var entryCount = 0

  package init(of home: Home, under configuration: Configuration) {
    (self.home, self.configuration) = (home, configuration)
  }

  /// Begins with a snapshot; a later one replaces all that was taken before.
  package mutating func take(_ snapshot: Snapshot) throws(StorageError) {
    replay = try Replay(snapshot) { [home, configuration] bytes throws(StateError) in
      try ReplayedConfiguration(bytes: bytes, in: home, evaluatedAs: configuration)
    }
  }

  /// Replays the next commit.
  package mutating func take(_ commit: Commit) throws(StorageError) {
    guard let replay else { throw StorageError(.damaged, "commit \(commit.number) follows no snapshot") }
    guard commit.number == replay.lastCommit + 1 else {
      throw StorageError(.damaged, "commit \(replay.lastCommit + 1) is missing")
    }
    try replay.work(out: commit)
    entryCount += commit.count
  }

  /// Returns the graphs in the state of the last commit.
  package consuming func finish() -> Recovered { replay.map(Recovered.init) ?? Recovered(new: configuration, in: home) }
}

extension Recovered {
  /// Recovers graphs at once.
  ///
  /// - Parameters:
  ///   - configuration: The configuration to run, for a new log.
  ///   - progressed: Called from time to time with the number of entries replayed.
  init(
    from log: some RecordedState, of home: Home = .folder, _ configuration: Configuration, progressed: (Int) -> Void
  ) throws(StorageError) {
    var recovery = Recovery(of: home, under: configuration)
    if let snapshot = try log.newestSnapshot() {
      try recovery.take(snapshot)
      try log.forEachCommit(after: snapshot.number) { commit throws(StorageError) in
        try recovery.take(commit)
        progressed(recovery.entryCount)
      }
    }
    self = recovery.finish()
  }
}
