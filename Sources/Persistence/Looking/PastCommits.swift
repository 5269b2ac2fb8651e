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
      let isCommit = try folder.isCommit(next.number)
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

  /// Works out a number of entries, and the rest of their last commit.
  func workOut(entries: Int, begin: (Replay) -> Void) throws(StorageError) -> Replay {
    try workOut(until: { $0.entryCount >= entries }, begin: begin)
  }

  /// The number of entries up to the last one that is wanted, or of all.
  ///
  /// - Parameter isOver: Asked after each entry whether it is that one.
  func countEntries(until isOver: (Replay) -> () -> Bool) throws(StorageError) -> Int {
    var end: Int?
    let replay = try workOut(until: { _ in end != nil }) { replay in
      let isOver = isOver(replay)
      replay.onDone = { [unowned replay] _, _, _ in
        if end == nil, isOver() { end = replay.entryCount }
      }
    }
    return end ?? replay.entryCount
  }
}
