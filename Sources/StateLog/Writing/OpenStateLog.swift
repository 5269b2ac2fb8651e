import Linux

/// The state log as opened by a writer, with its statements.
final class OpenStateLog {
  let folder: FolderPath
  let database: Database
  /// The end of the log when it was opened.
  let reach: LogMark.Reach
  let limits: WriterLimits

  private let lock: FolderLock
  /// The open files, by path.
  private var files: [String: FileIdentity] = [:]
  private var meta: Meta
  private let mark: MarkFile
  /// True once the database requires a mark.
  private var requiresMark: Bool
  /// The parts of the newest snapshot.
  private var parts: Parts?

  private let insertCommit: Statement
  private let insertPart: Statement
  private let insertSnapshot: Statement
  private let listCommits: Statement
  private let deleteCommits: Statement
  private let listSnapshots: Statement
  private let deleteSnapshot: Statement
  private let deleteParts: Statement

  /// - Parameter epoch: The folder's epoch; a new one for a copy.
  init(_ folder: FolderPath, _ lock: FolderLock, _ limits: WriterLimits, epoch: String) throws(StorageError) {
    self.folder = folder
    self.limits = limits
    self.lock = lock
    let found = try FoundMark(of: folder)
    let database = try folder.translating { () throws(SQLiteError) in try Database(folder.database, .write) }
    self.database = database
    var meta = try Meta(of: database, in: folder)
    let contents = Contents(folder: folder, database: database, mark: found)
    try contents.checkReach()
    do throws(SQLiteError) {
      try Self.configure(database)
      insertCommit = try database.prepare("INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?)")
      insertPart = try database.prepare("INSERT INTO parts VALUES (?, ?)")
      insertSnapshot = try database.prepare("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?)")
      listCommits = try database.prepare(
        """
        SELECT number, length(entries) FROM commits WHERE number <= (SELECT min(number) FROM snapshots)
        ORDER BY number LIMIT 1000
        """)
      deleteCommits = try database.prepare("DELETE FROM commits WHERE number <= ?")
      listSnapshots = try database.prepare(
        "SELECT number, time FROM snapshots WHERE number <= ? ORDER BY number LIMIT 2")
      deleteSnapshot = try database.prepare("DELETE FROM snapshots WHERE number = ?")
      deleteParts = try database.prepare(
        """
        DELETE FROM parts WHERE number IN
          (SELECT number FROM parts WHERE number < (SELECT min(first_part) FROM snapshots)
            UNION ALL SELECT number FROM parts WHERE number >= ? LIMIT 2)
        """)
      requiresMark = try database.requiresMark()
      try Self.adopt(epoch, in: &meta, database)
      let last = try contents.lastPlace()
      let snapshot = try contents.lastSnapshot()
      // A killed process may have left commits in the kernel's cache only.
      try database.syncLog()
      reach = LogMark.Reach(written: last, synced: last, snapshot: snapshot?.number)
      parts = snapshot?.parts
    } catch {
      throw folder.error(error)
    }
    self.meta = meta
    mark = try MarkFile(of: folder, reach, numbered: (found.mark?.count ?? 0) + 1)
    // Nor may the name of the log be synced, if that process created it.
    try folder.syncNames()
    if let error = displacement() { throw error }
  }

  /// Assigns a copy of another folder an epoch of its own.
  private static func adopt(_ epoch: String, in meta: inout Meta, _ database: Database) throws(SQLiteError) {
    if meta.epoch == epoch { return }
    var renewed = meta
    renewed.epoch = epoch
    try database.transaction { () throws(SQLiteError) in try renewed.update(in: database) }
    meta = renewed
  }

  private static func configure(_ database: Database) throws(SQLiteError) {
    // Commits are synced one by one, or many at once, by `syncLog`; a checkpoint syncs both files by itself. Debian's
    // SQLite overwrites deleted content with zeros by default, which would cost more than the log itself.
    try database.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = 4194304; PRAGMA secure_delete = OFF
      """)
    let mode = try database.text("PRAGMA journal_mode")
    guard mode == "wal" else {
      throw SQLiteError(code: 5, message: "its journal_mode is \"\(mode ?? "")\" and cannot be changed", errno: 0)
    }
    database.waitAtMost(.seconds(1))
    database.countLog()
  }

  /// Returns an error if the files were removed or replaced: further writes to them would be lost.
  func displacement() -> StorageError? {
    for path in [folder.database, folder.log, folder.mark] {
      let present = FileIdentity(path: path)
      if files[path] == nil { files[path] = present }
      if files[path] != present { return folder.displaced(path) }
    }
    return nil
  }

  // MARK: Writing

  /// Upgrades a folder of an older program to the current version, before the first write.
  func upgrade() throws(SQLiteError) {
    if meta.version == Meta.version, requiresMark { return }
    var upgraded = meta
    upgraded.version = Meta.version
    try database.transaction { () throws(SQLiteError) in
      try upgraded.update(in: database)
      try database.requireMark()
    }
    (meta, requiresMark) = (upgraded, true)
  }

  /// Records a new end of the log in the mark; must precede any report of that progress.
  func mark(_ reach: LogMark.Reach) throws(SQLiteError) { try mark.write(reach) }

  func syncMark() throws(SQLiteError) { try mark.sync() }

  func insert(_ commit: Commit) throws(SQLiteError) {
    insertCommit.bind(1, commit.number)
    insertCommit.bind(2, commit.time)
    insertCommit.bind(3, Int64(commit.count))
    insertCommit.bind(5, commit.hash)
    insertCommit.bind(6, commit.checksum)
    try insertCommit.bind(4, commit.entries[...]) { insertCommit.result() }.get()
  }

  /// Begins a snapshot after the existing parts.
  func draft(_ snapshot: Snapshot) throws(SQLiteError) -> SnapshotDraft {
    try upgrade()
    let last = try database.number("SELECT max(number) FROM parts") ?? 0
    return SnapshotDraft(snapshot, firstPart: max(last, parts?.end ?? 0) + 1, portion: limits.portion)
  }

  /// Writes the next part of a snapshot, and with the last one its row.
  ///
  /// - Returns: True if that was the last one.
  func writePart(of draft: inout SnapshotDraft) throws(SQLiteError) -> Bool {
    var after = draft
    if draft.written < draft.count { after.wrotePart() }
    let isWhole = after.written == after.count
    try database.transaction { () throws(SQLiteError) in
      if draft.written < draft.count {
        insertPart.bind(1, draft.nextPart)
        try insertPart.bind(2, draft.nextBytes) { insertPart.result() }.get()
      }
      if isWhole { try insertRow(of: draft) }
    }
    draft = after
    if isWhole { parts = Parts(first: draft.firstPart, count: draft.count) }
    return isWhole
  }

  private func insertRow(of draft: SnapshotDraft) throws(SQLiteError) {
    let snapshot = draft.snapshot
    insertSnapshot.bind(1, snapshot.number)
    insertSnapshot.bind(2, snapshot.time)
    insertSnapshot.bind(3, snapshot.hash)
    insertSnapshot.bind(5, draft.firstPart)
    insertSnapshot.bind(6, Int64(draft.count))
    insertSnapshot.bind(7, snapshot.checksum)
    try insertSnapshot.bind(4, snapshot.configuration[...]) { insertSnapshot.result() }.get()
  }

  // MARK: Deleting

  /// Deletes a portion of the data that a snapshot has replaced, or that an earlier process left incomplete.
  ///
  /// - Returns: True if there may be more.
  func prune(before snapshot: UInt64, keeping history: [HistoryBound]) throws(SQLiteError) -> Bool {
    // Commits are deleted after the snapshot that they depend on, so that all remaining ones can be replayed.
    if let last = try lastOfPortion() {
      deleteCommits.bind(1, last)
      try database.transaction { () throws(SQLiteError) in try deleteCommits.run() }
      return true
    }
    if let number = try outlivedSnapshot(before: snapshot, history) {
      deleteSnapshot.bind(1, number)
      try database.transaction { () throws(SQLiteError) in try deleteSnapshot.run() }
      return true
    }
    guard let parts else { return false }
    var deleted = 0
    deleteParts.bind(1, parts.end)
    try database.transaction { () throws(SQLiteError) in
      try deleteParts.run()
      deleted = database.changes
    }
    return deleted > 0
  }

  /// Returns the number of the oldest snapshot, if no limit retains the commits between it and the next one.
  private func outlivedSnapshot(before newest: UInt64, _ history: [HistoryBound]) throws(SQLiteError) -> Int64? {
    listSnapshots.bind(1, newest)
    defer { listSnapshots.reset() }
    guard try listSnapshots.step(), let oldest = listSnapshots.integer(0), try listSnapshots.step() else { return nil }
    if history.isEmpty { return oldest }
    let end = listSnapshots.integer(1) ?? 0
    let now = try database.number("SELECT time FROM snapshots WHERE number = \(newest)") ?? end
    let size = Int(try usedPages() * (try database.number("PRAGMA page_size") ?? 0))
    return history.contains { $0.keeps(.microseconds(now &- end), size: size) } ? nil : oldest
  }

  private func usedPages() throws(SQLiteError) -> Int64 {
    try (database.number("PRAGMA page_count") ?? 0) - (database.number("PRAGMA freelist_count") ?? 0)
  }

  /// Returns the number of the last commit in the next portion to delete, if there is one.
  private func lastOfPortion() throws(SQLiteError) -> Int64? {
    var (last, bytes): (Int64?, Int64) = (nil, 0)
    defer { listCommits.reset() }
    while bytes < limits.portion, try listCommits.step() {
      last = listCommits.integer(0)
      bytes += listCommits.integer(1) ?? 0
    }
    return last
  }

  /// Returns a portion of the free pages to the file system, if they far exceed those in use.
  ///
  /// - Returns: True if there may be more.
  func shrink() throws(SQLiteError) -> Bool {
    let free = try database.number("PRAGMA freelist_count") ?? 0
    let all = try database.number("PRAGMA page_count") ?? 0
    if free <= max(Int64(limits.keptPages), 3 * (all - free)) { return false }
    try database.execute("PRAGMA incremental_vacuum(256)")
    return true
  }

  // MARK: Checkpoints

  /// Moves the log into the database after recording its end there.
  func checkpoint(_ reach: LogMark.Reach) throws(SQLiteError) {
    var noted = meta
    noted.lastCommit = reach.written.number
    noted.lastSnapshot = reach.snapshot
    if noted != meta {
      try database.transaction { () throws(SQLiteError) in try noted.update(in: database) }
      meta = noted
    }
    try database.checkpoint()
  }
}
