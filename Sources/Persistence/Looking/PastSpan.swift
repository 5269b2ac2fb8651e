import Journal
import ReactiveCore
import SignalGraph

/// A part of the past that is worked out again from one of the snapshots, as often as it takes.
final class PastSpan {
  private let folder: FolderReader
  private let mark: StateStatistics.Mark
  /// The last commit that is wanted.
  private var last: UInt64

  /// - Parameters:
  ///   - marks: All snapshots, oldest first.
  ///   - first: That from which it goes on.
  init(_ folder: FolderReader, _ marks: [StateStatistics.Mark], first: Int) throws(StorageError) {
    (self.folder, mark, last) = (folder, marks[first], UInt64(Int64.max))
    // A snapshot of a start or a reload has a number of its own, and what follows it goes on from that.
    for next in marks[(first + 1)...] where try !folder.isCommit(next.number) {
      last = next.number - 1
      break
    }
  }

  /// The moment before which nothing of it is known, in microseconds since 1970.
  var begins: Int64 { mark.time }

  /// The graphs as they were at the beginning.
  func beginning(_ watch: Watch?) throws(StorageError) -> Replay { try Replay(snapshot(), watch: watch) }

  /// The configuration under which everything is worked out.
  func stored() throws(StorageError) -> StoredConfiguration { try Replay(snapshot()).stored }

  private func snapshot() throws(StorageError) -> Snapshot {
    if let snapshot = try folder.snapshot(mark.number) { return snapshot }
    throw StorageError(.missing, "the past goes on being deleted; ask for something later")
  }

  /// Works everything out again.
  ///
  /// - Parameters:
  ///   - begin: Told of the graphs before anything enters them.
  ///   - isOver: Asked before each commit whether no more is wanted; the answer is the same each time.
  func workOut(
    _ watch: Watch? = nil, begin: (Replay) -> Void = { _ in }, until isOver: (Replay) -> Bool
  ) throws(StorageError) {
    try folder.atOneMoment { () throws(StorageError) in
      let replay = try beginning(watch)
      begin(replay)
      try folder.forEachCommit(after: mark.number, upTo: last) { commit throws(StorageError) in
        if !isOver(replay) { try replay.work(out: commit) }
      }
      // The commits behind it need not be read another time.
      if isOver(replay) { last = replay.lastCommit }
    }
  }
}

extension FolderReader {
  /// Whether there is a commit of a number, and not only a snapshot.
  func isCommit(_ number: UInt64) throws(StorageError) -> Bool {
    var isThere = false
    try forEachCommit(after: number - 1, upTo: number) { _ in isThere = true }
    return isThere
  }
}
