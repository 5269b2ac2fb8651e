import Journal

/// What a folder has behind one of its snapshots, up to where the graphs were started again or reloaded.
struct PastCommits {
  private let folder: FolderReader
  private let mark: StateStatistics.Mark
  private let last: UInt64

  /// - Parameter marks: All snapshots, oldest first.
  init(_ folder: FolderReader, _ marks: [StateStatistics.Mark], behind mark: Int) throws(StorageError) {
    (self.folder, self.mark) = (folder, marks[mark])
    // A snapshot of a start or a reload has a number of its own.
    for next in marks[(mark + 1)...] where try !folder.hasCommit(next.number) {
      last = next.number - 1
      return
    }
    last = UInt64(Int64.max)
  }

  /// Works commits out again, each of them whole.
  ///
  /// - Parameters:
  ///   - isOver: Asked before each commit whether no more is wanted.
  ///   - begin: Told of the graphs before anything enters them.
  func workOut(until isOver: (Replay) -> Bool, begin: (Replay) -> Void) throws(StorageError) -> Replay {
    try folder.atOneMoment { () throws(StorageError) in
      guard let snapshot = try folder.snapshot(mark.number) else {
        throw StorageError(.missing, "the past goes on being deleted; ask for something later")
      }
      let replay = try Replay(snapshot)
      begin(replay)
      try folder.forEachCommit(after: mark.number, upTo: last) { commit throws(StorageError) in
        if !isOver(replay) { try replay.work(out: commit) }
      }
      return replay
    }
  }
}
