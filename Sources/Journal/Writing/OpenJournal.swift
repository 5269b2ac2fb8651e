import Linux

/// The journal that a writer has open, with its statements.
final class OpenJournal {
  let folder: FolderPath
  let database: Database
  private let lock: FolderLock
  private var meta: Meta
  private let insertCommit: Statement
  private let insertSnapshot: Statement
  private let listCommits: Statement
  private let deleteCommits: Statement
  private let deleteSnapshots: Statement
  /// How far it reached when it was opened.
  let progress: Progress

  init(_ folder: FolderPath, _ lock: FolderLock) throws(StorageError) {
    self.folder = folder
    self.lock = lock
    let database = try folder.translating { () throws(SQLiteError) in try Database(folder.database, .write) }
    self.database = database
    meta = try Meta(of: database, in: folder)
    let contents = Contents(folder: folder, database: database)
    do throws(SQLiteError) {
      // Commits are synced one by one, or many at once, by `syncLog`; a checkpoint syncs both files by itself. Zeros
      // over what is deleted, which Debian's SQLite writes, would cost more than the journal itself.
      try database.execute(
        """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;
        PRAGMA journal_size_limit = 4194304; PRAGMA secure_delete = OFF
        """)
      database.countLog()
      let mode = try database.text("PRAGMA journal_mode")
      guard mode == "wal" else {
        throw SQLiteError(code: 5, message: "its journal_mode is \"\(mode ?? "")\" and cannot be changed", errno: 0)
      }
      insertCommit = try database.prepare("INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?)")
      insertSnapshot = try database.prepare("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)")
      listCommits = try database.prepare(
        "SELECT number, length(entries) FROM commits WHERE number <= ? ORDER BY number LIMIT 1000")
      deleteCommits = try database.prepare("DELETE FROM commits WHERE number <= ?")
      deleteSnapshots = try database.prepare(
        "DELETE FROM snapshots WHERE number = (SELECT min(number) FROM snapshots WHERE number < ?)")
      let last = try contents.lastNumber()
      // A process that was killed may have left commits that only the kernel knows.
      try database.syncLog()
      progress = Progress(written: last, synced: last, snapshot: try contents.lastSnapshot())
    } catch {
      throw folder.error(error)
    }
  }

  // MARK: Writing

  func insert(_ commit: Commit) throws(SQLiteError) {
    insertCommit.bind(1, commit.number)
    insertCommit.bind(2, commit.time)
    insertCommit.bind(3, Int64(commit.count))
    insertCommit.bind(5, commit.hash)
    insertCommit.bind(6, commit.checksum)
    try insertCommit.bind(4, commit.entries) { insertCommit.result() }.get()
  }

  func insert(_ snapshot: Snapshot) throws(SQLiteError) {
    insertSnapshot.bind(1, snapshot.number)
    insertSnapshot.bind(2, snapshot.time)
    insertSnapshot.bind(3, snapshot.hash)
    insertSnapshot.bind(6, snapshot.checksum)
    try insertSnapshot.bind(4, snapshot.configuration) {
      insertSnapshot.bind(5, snapshot.state) { insertSnapshot.result() }
    }.get()
  }

  // MARK: Deleting

  /// Deletes a portion of what a snapshot has replaced.
  ///
  /// - Returns: whether there may be more.
  func prune(before snapshot: UInt64) throws(SQLiteError) -> Bool {
    var (last, bytes): (Int64?, Int64) = (nil, 0)
    listCommits.bind(1, snapshot)
    defer { listCommits.reset() }
    while bytes < 1 << 20, try listCommits.step() {
      last = listCommits.integer(0)
      bytes += listCommits.integer(1) ?? 0
    }
    listCommits.reset()
    if let last {
      deleteCommits.bind(1, last)
      try database.transaction { () throws(SQLiteError) in try deleteCommits.run() }
      return true
    }
    deleteSnapshots.bind(1, snapshot)
    try database.transaction { () throws(SQLiteError) in try deleteSnapshots.run() }
    return database.changes > 0
  }

  // MARK: Moving from the log into the database

  /// Moves the log into the database, after a note of how far that reaches.
  func checkpoint(_ progress: Progress) throws(SQLiteError) {
    var noted = meta
    noted.lastCommit = progress.written
    noted.lastSnapshot = progress.snapshot
    if noted != meta {
      try database.transaction { () throws(SQLiteError) in try noted.update(in: database) }
      meta = noted
    }
    try database.checkpoint()
  }
}
