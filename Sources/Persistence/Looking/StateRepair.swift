package import Journal

/// The repair of a damaged folder: the longest part that is sound from its beginning is kept.
package struct StateRepair {
  /// The damage; `nil` if there is none.
  package private(set) var damage: StorageError?
  /// The last commit that is kept.
  package private(set) var last = StateStatistics.Mark(number: 0, time: 0)
  /// How many commits behind it are lost, and how many values in those, as far as that can be known.
  package private(set) var lostCommits: UInt64 = 0
  package private(set) var lostValues: Int?
  /// The path under which the damaged database is kept, once it is repaired.
  package private(set) var kept: String?

  /// The snapshots that are kept, oldest first; the last one is that from which the graphs go on.
  private var snapshots: [UInt64] = []

  /// Looks for damage.
  ///
  /// - Throws: Where nothing of it can be gone on from.
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
          advice: "nothing of it is sound: put back a copy of the folder, or move it away to begin with nothing")
      }
      throw StorageError(.missing, "nothing was written there yet")
    }
    if damage == nil { return }
    let last = last.number
    lostCommits = (try? folder.lastNumber()).map { $0 > last ? $0 - last : 0 } ?? 0
    lostValues = try? folder.values(after: last)
  }

  /// The last of some snapshots, and those before it from which all commits up to the next one are there.
  private static func past(_ numbers: [UInt64], in folder: FolderReader) -> [UInt64] {
    var sound = [numbers[numbers.count - 1]]
    for number in numbers.dropLast().reversed() {
      var damage: StorageError?
      let isSound = note(&damage) { () throws(StorageError) in
        if try folder.snapshot(number) == nil { throw StorageError(.missing, "snapshot \(number) is missing") }
        try folder.forEachCommit(after: number, upTo: sound[0]) { _ throws(StorageError) in }
      }
      if !isSound { break }
      sound.insert(number, at: 0)
    }
    return sound
  }

  /// Does something, and takes note of the first damage that shows.
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

  /// Repairs a folder that no daemon has, if it is damaged.
  ///
  /// - Returns: What it has done.
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

  /// Whether what clients were told is lost, so that numbers mean something else from here on.
  package var isLost: Bool { lostCommits > 0 || (lostValues ?? 1) > 0 }

  private func copy(_ folder: FolderReader, to scratch: ScratchFolder) throws(StorageError) {
    // Numbers that were given before would be given to other values.
    let new = try StateFolder(scratch.path, epoch: isLost ? nil : folder.epoch)
    for (index, number) in snapshots.enumerated() {
      let writer = try new.makeWriter {}
      if let snapshot = try folder.snapshot(number) { writer.append(snapshot, keeping: [.everything]) }
      let end = index + 1 < snapshots.count ? snapshots[index + 1] : last.number
      try folder.forEachCommit(after: number, upTo: end) { writer.append($0, synced: false) }
      writer.close()
      if let failure = writer.progress.failure { throw failure }
    }
  }
}
