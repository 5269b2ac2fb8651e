import GraphModel
import Signals
package import StateLog

/// The state of a clustered graph as far as the sound part of its log leads to it.
package struct ClusterRepair {
  /// The last commit that is kept.
  package let last: StateStatistics.Mark
  /// The commits that were read behind it, and cannot be replayed.
  package let unusable: Int
  /// The finding about the first of these.
  package let finding: String?
  private let replay: Replay

  /// Replays a snapshot, and the commits behind it as far as they are sound.
  package init(of graph: String, from snapshot: Snapshot, _ commits: [Commit]) throws(StorageError) {
    let home = Home.stream(graph: graph, partition: 0)
    var sound = commits.count
    var finding: String?
    while true {
      var reached = 0
      let replay = try Replay(snapshot) { bytes throws(StateError) in try ReplayedConfiguration(bytes: bytes, in: home)
      }
      do throws(StorageError) {
        for commit in commits.prefix(sound) {
          guard commit.number == replay.lastCommit + 1 else {
            throw StorageError(.damaged, "commit \(replay.lastCommit + 1) is missing")
          }
          try replay.work(out: commit)
          reached += 1
        }
        self.replay = replay
        break
      } catch {
        // A commit that failed may have changed the state: once more, without it.
        (sound, finding) = (reached, finding ?? error.description)
      }
    }
    self.finding = finding
    unusable = commits.count - sound
    last = StateStatistics.Mark(number: replay.lastCommit, time: replay.durable.time.microseconds)
  }

  /// Returns the snapshot that replaces the log.
  ///
  /// - Parameter number: A number above those of all commits that clients may have seen.
  package func snapshot(numbered number: UInt64) -> Snapshot {
    Snapshot(number, at: last.time, of: replay.durable, owing: replay.owed, replay.stored)
  }
}
