import StateLog

/// The commits after a snapshot, up to the next start or reload.
struct PastCommits {
  private let folder: FolderReader
  private let configurations: PastConfigurations
  private let mark: StateStatistics.Mark
  /// The upper bounds of the successive ranges to read: the snapshots between, and the last commit.
  private let ends: [UInt64]

  /// - Parameter marks: All snapshots, oldest first.
  init(
    _ folder: FolderReader, _ marks: [StateStatistics.Mark], behind mark: Int, _ configurations: PastConfigurations
  ) throws(StorageError) {
    (self.folder, self.mark, self.configurations) = (folder, marks[mark], configurations)
    var ends: [UInt64] = []
    for next in marks[(mark + 1)...] {
      // The snapshot of a start or a reload has a number of its own.
      let isCommit = try folder.hasCommit(next.number)
      ends.append(isCommit ? next.number : next.number - 1)
      if isCommit { continue }
      self.ends = ends
      return
    }
    self.ends = ends + [UInt64(Int64.max)]
  }

  /// The error for a snapshot that was deleted after it was listed.
  static let deleted = StorageError(.missing, "the history is being truncated; give a later time")

  /// Replays whole commits.
  ///
  /// - Parameters:
  ///   - signal: The only signal of interest, if any: entries that do not affect it are skipped.
  ///   - isOver: Called before each commit; returns true to stop.
  ///   - begin: Called with the graphs before the first entry.
  func workOut(
    of signal: String? = nil, until isOver: (Replay) -> Bool, begin: (Replay) -> Void
  ) throws(StorageError) -> Replay {
    try folder.atOneMoment { () throws(StorageError) in
      guard let snapshot = try folder.snapshot(mark.number) else { throw Self.deleted }
      let replay = try Replay(snapshot, reading: configurations.configuration)
      replay.onCut = { [configurations] in configurations.hasCut = true }
      replay.relevance =
        configurations.isWhole ? nil : signal.flatMap { Relevance(to: $0, in: replay.origin.replayed, replay.durable) }
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
