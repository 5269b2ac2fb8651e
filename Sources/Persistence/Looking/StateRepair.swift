import GraphModel
package import StateLog

/// The repair of a damaged folder: keeps the longest valid prefix.
package struct StateRepair {
  /// The damage; `nil` if there is none.
  package private(set) var damage: StorageError?
  /// The last commit kept.
  package private(set) var last = StateStatistics.Mark(number: 0, time: 0)
  /// The numbers of lost commits and values after it, as far as known.
  package private(set) var lostCommits: UInt64 = 0
  package private(set) var lostValues: Int?
  /// True if more may be lost than is known.
  package private(set) var isEndUnknown = false
  /// The graphs as the part kept leads to them; `nil` without damage.
  private(set) var replay: Replay?
  /// The path of the damaged database after the repair.
  package private(set) var kept: String?

  /// The snapshots kept, oldest first; the graphs resume from the last one.
  private var snapshots: [UInt64] = []

  /// Checks for damage.
  ///
  /// - Throws: An error if no part is usable.
  package init(of folder: FolderReader) throws(StorageError) {
    Self.note(&damage) { () throws(StorageError) in try folder.checkPages() }
    Self.note(&damage) { () throws(StorageError) in _ = try folder.newestSnapshot() }
    let marks = try folder.snapshots()
    for (index, mark) in marks.enumerated().reversed() {
      var reached: StateStatistics.Mark?
      Self.note(&damage) { () throws(StorageError) in
        guard let snapshot = try folder.snapshot(mark.number) else { return }
        let replay = try Replay(snapshot)
        reached = mark
        self.replay = replay
        try folder.forEachCommit(after: mark.number) { commit throws(StorageError) in
          try replay.work(out: commit)
          reached = StateStatistics.Mark(number: commit.number, time: commit.time)
        }
      }
      if let reached {
        last = reached
        snapshots = Self.past(marks[...index].map(\.number), in: folder)
        break
      }
    }
    if snapshots.isEmpty {
      if let damage {
        throw StorageError(
          .damaged, damage.finding,
          advice: "no intact part: restore a copy of the folder, or move it away to start without state")
      }
      throw StorageError(.missing, "the state folder is empty")
    }
    if damage == nil {
      replay = nil
      return
    }
    isEndUnknown = folder.isEndUnknown
    let last = last.number
    lostCommits = max(folder.lastKnownNumber(), last) - last
    lostValues = (try? folder.values(after: last)) ?? nil
  }

  /// Returns the last snapshot and those before it with complete commits up to their successor.
  private static func past(_ numbers: [UInt64], in folder: FolderReader) -> [UInt64] {
    var sound = [numbers[numbers.count - 1]]
    for number in numbers.dropLast().reversed() {
      var damage: StorageError?
      let isSound = note(&damage) { () throws(StorageError) in
        if try folder.snapshot(number) == nil { throw StorageError(.missing, "snapshot \(number) is missing") }
        try commits(of: folder, after: number, upTo: sound[0]) { _ in }
      }
      if !isSound { break }
      sound.insert(number, at: 0)
    }
    return sound
  }

  /// Runs an operation and records the first damage.
  @discardableResult
  private static func note(_ damage: inout StorageError?, _ body: () throws(StorageError) -> Void) -> Bool {
    do throws(StorageError) {
      try body()
      return true
    } catch {
      damage = damage ?? error
      return false
    }
  }

  /// Repairs a folder that no daemon has open, if it is damaged.
  ///
  /// - Returns: The repair performed.
  package static func carryOut(in path: String) throws(StorageError) -> StateRepair {
    let folder = try FolderReader(path)
    let place = try ReplacedFolder(path)
    var repair = try StateRepair(of: folder)
    if repair.damage == nil { return repair }
    let scratch = try ScratchFolder(in: path)
    try repair.copy(folder, to: scratch)
    repair.kept = try place.replace(by: scratch)
    return repair
  }

  /// True if data that clients have seen is lost, so that a new epoch is required.
  package var isLost: Bool { isEndUnknown || lostCommits > 0 || (lostValues ?? 1) > 0 }

  private func copy(_ folder: FolderReader, to scratch: ScratchFolder) throws(StorageError) {
    // Earlier numbers would be assigned to other values.
    let new = try StateFolder(scratch.path, epoch: isLost || folder.isCopy ? nil : folder.epoch)
    for (index, number) in snapshots.enumerated() {
      let writer = try new.makeWriter {}
      if let snapshot = try folder.snapshot(number) { writer.append(snapshot, keeping: [.everything]) }
      let end = index + 1 < snapshots.count ? snapshots[index + 1] : last.number
      try Self.commits(of: folder, after: number, upTo: end) { writer.append($0, synced: false) }
      writer.close()
      if let failure = writer.progress.failure { throw failure }
    }
  }

  /// Reads whole commits; damage behind the last one, which SQLite looks for, does not matter.
  private static func commits(
    of folder: FolderReader, after number: UInt64, upTo end: UInt64, _ body: (Commit) -> Void
  ) throws(StorageError) {
    var reached = number
    do throws(StorageError) {
      try folder.forEachCommit(after: number, upTo: end) { commit throws(StorageError) in
        reached = commit.number
        body(commit)
      }
    } catch {
      if reached < end { throw error }
    }
  }
}
