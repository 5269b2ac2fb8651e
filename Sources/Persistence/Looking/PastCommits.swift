import Journal

/// What a folder has behind one of its snapshots, up to where the graphs were started again or reloaded.
struct PastCommits {
  private let folder: FolderReader
  private let mark: StateStatistics.Mark
  /// The numbers up to which they are read, one after the other: those of the snapshots on the way, and the last one.
  private let ends: [UInt64]

  /// - Parameter marks: All snapshots, oldest first.
  init(_ folder: FolderReader, _ marks: [StateStatistics.Mark], behind mark: Int) throws(StorageError) {
    (self.folder, self.mark) = (folder, marks[mark])
    var ends: [UInt64] = []
    for next in marks[(mark + 1)...] {
      // A snapshot of a start or a reload has a number of its own.
      let isCommit = try folder.hasCommit(next.number)
      ends.append(isCommit ? next.number : next.number - 1)
      if isCommit { continue }
      self.ends = ends
      return
    }
    self.ends = ends + [UInt64(Int64.max)]
  }

  /// A snapshot is not there any more that was there at first.
  static let deleted = StorageError(.missing, "the past goes on being deleted; ask for something later")

  /// Works commits out again, each of them whole.
  ///
  /// - Parameters:
  ///   - isOver: Asked before each commit whether no more is wanted.
  ///   - begin: Told of the graphs before anything enters them.
  func workOut(until isOver: (Replay) -> Bool, begin: (Replay) -> Void) throws(StorageError) -> Replay {
    try folder.atOneMoment { () throws(StorageError) in
      guard let snapshot = try folder.snapshot(mark.number) else { throw Self.deleted }
      let replay = try Replay(snapshot)
      begin(replay)
      var reached = mark.number
      for end in ends where !isOver(replay) {
        try folder.forEachCommit(after: reached, upTo: end) { commit throws(StorageError) in
          if !isOver(replay) { try replay.work(out: commit) }
        }
        reached = end
      }
      return replay
    }
  }
}
