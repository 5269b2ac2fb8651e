import Linux

/// The contents of a folder as they are read: no row counts whose checksum is wrong.
struct Contents {
  let folder: FolderPath
  let database: Database

  /// Opens a folder to read in it, which leaves everything there as it is.
  init(_ folder: FolderPath, _ access: Database.Access = .write) throws(StorageError) {
    self.folder = folder
    database = try folder.translating { () throws(SQLiteError) in try Database(folder.database, access) }
    database.leaveLog()
  }

  init(folder: FolderPath, database: Database) {
    self.folder = folder
    self.database = database
  }

  static let tables = """
    CREATE TABLE commits (
      number INTEGER PRIMARY KEY, time INTEGER NOT NULL, count INTEGER NOT NULL, entries BLOB NOT NULL,
      hash INTEGER NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE snapshots (
      number INTEGER PRIMARY KEY, time INTEGER NOT NULL, hash INTEGER NOT NULL, configuration BLOB NOT NULL,
      first_part INTEGER NOT NULL, parts INTEGER NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE parts (number INTEGER PRIMARY KEY, state BLOB NOT NULL)
    """

  /// Reads several things as they are at one moment.
  func atOneMoment<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    let isOutermost = !database.isInTransaction
    if isOutermost { try folder.translating { () throws(SQLiteError) in try database.execute("BEGIN") } }
    defer { if isOutermost { try? database.execute("COMMIT") } }
    return try body()
  }

  /// Checks that each page of the database is in use once: writing to one that is used twice would damage more.
  func checkPages() throws(StorageError) {
    let answer = try folder.translating { () throws(SQLiteError) in try database.text("PRAGMA quick_check(1)") }
    if answer != "ok" { throw folder.damaged("is damaged: \(answer ?? "its pages cannot be checked")") }
  }

  /// The snapshot with the highest number, if there is one.
  func newestSnapshot() throws(StorageError) -> Snapshot? {
    try atOneMoment { () throws(StorageError) in try readNewestSnapshot() }
  }

  private func readNewestSnapshot() throws(StorageError) -> Snapshot? {
    let noted = try Meta(of: database, in: folder).lastSnapshot
    let row = try folder.translating { () throws(SQLiteError) in
      let row = try database.prepare(
        """
        SELECT number, time, hash, configuration, first_part, parts, checksum FROM snapshots
        ORDER BY number DESC LIMIT 1
        """)
      return try row.step() ? row : nil
    }
    guard let row else {
      if let noted { throw folder.damaged("is damaged: snapshot \(noted) is missing") }
      return nil
    }
    let read = try folder.translating { () throws(SQLiteError) in try snapshot(row) }
    guard let snapshot = read else {
      throw folder.damaged("is damaged: snapshot \(Self.name(row)) is not as it was written")
    }
    if let number = noted, number > snapshot.number {
      throw folder.damaged("is damaged: snapshot \(number) is missing, the one before is \(Self.name(row))")
    }
    return snapshot
  }

  /// The snapshot of a number, if it is there: it may have been deleted since somebody was told of it.
  func snapshot(numbered number: UInt64) throws(StorageError) -> Snapshot? {
    try atOneMoment { () throws(StorageError) in
      let read = try folder.translating { () throws(SQLiteError) in
        let row = try database.prepare(
          "SELECT number, time, hash, configuration, first_part, parts, checksum FROM snapshots WHERE number = ?")
        row.bind(1, number)
        return try row.step() ? (name: Self.name(row), snapshot: try snapshot(row)) : nil
      }
      if let read, read.snapshot == nil {
        throw folder.damaged("is damaged: snapshot \(read.name) is not as it was written")
      }
      return read?.snapshot
    }
  }

  /// The snapshot of a row and its parts, if the checksum is right.
  private func snapshot(_ row: Statement) throws(SQLiteError) -> Snapshot? {
    guard let number = row.unsigned(0), let time = row.integer(1), let hash = row.unsigned(2),
      let configuration = row.blob(3), let first = row.integer(4), let count = row.integer(5),
      let checksum = row.integer(6)
    else { return nil }
    let parts = try database.prepare("SELECT number, state FROM parts WHERE number >= ? ORDER BY number")
    parts.bind(1, first)
    var (state, next): ([UInt8], Int64) = ([], 0)
    while next < count, try parts.step() {
      // Where the numbers are damaged, their sum may be too large.
      guard parts.integer(0) == first &+ next, let part = parts.blob(1) else { return nil }
      state += part
      next += 1
    }
    let snapshot = Snapshot(number: number, time: time, hash: hash, configuration: configuration, state: state)
    return next == count && checksum == snapshot.checksum ? snapshot : nil
  }

  /// Commits after a number and up to another one, oldest first.
  func forEachCommit(
    after number: UInt64, upTo end: UInt64 = UInt64(Int64.max), _ body: (Commit) throws(StorageError) -> Void
  ) throws(StorageError) {
    let meta = try Meta(of: database, in: folder)
    let row = try folder.translating { () throws(SQLiteError) in
      try database.prepare(
        """
        SELECT number, time, count, entries, hash, checksum FROM commits WHERE number > ? AND number <= ?
        ORDER BY number
        """)
    }
    row.bind(1, Int64(clamping: number))
    row.bind(2, end)
    defer { row.reset() }
    var last = number
    var lastTime: Int64?
    while try isThere(row, after: last, lastTime) {
      guard row.unsigned(0) == last + 1 else { throw missing(last + 1, lastTime) }
      guard let commit = Commit(row) else {
        throw folder.damaged(
          "is damaged: commit \(Self.name(row)) is not as it was written\(Self.sound(last, lastTime))")
      }
      (last, lastTime) = (commit.number, commit.time)
      try body(commit)
    }
    guard min(meta.lastCommit, end) > last else { return }
    // A snapshot may stand in place of the last commit.
    let isThere = try folder.translating { () throws(SQLiteError) in
      if end != last + 1 { return false }
      return try database.number("SELECT number FROM snapshots WHERE number = \(end)") != nil
    }
    if !isThere { throw missing(last + 1, lastTime) }
  }

  private func isThere(_ row: Statement, after last: UInt64, _ time: Int64?) throws(StorageError) -> Bool {
    do throws(SQLiteError) {
      return try row.step()
    } catch {
      guard error.kind == .damaged else { throw folder.error(error) }
      throw folder.damaged("is damaged: \(error.message) (SQLite \(error.code))\(Self.sound(last, time))")
    }
  }

  private func missing(_ number: UInt64, _ lastTime: Int64?) -> StorageError {
    folder.damaged("is damaged: commit \(number) is missing\(Self.sound(number - 1, lastTime))")
  }

  /// The number and the time of a row, for a person.
  private static func name(_ row: Statement) -> String {
    "\(row.unsigned(0) ?? 0)" + (row.integer(1).map { " of \(WallTime(microseconds: $0).text)" } ?? "")
  }

  private static func sound(_ number: UInt64, _ time: Int64?) -> String {
    guard let time else { return "" }
    return ", commit \(number) of \(WallTime(microseconds: time).text) and those before it are sound"
  }

  /// The number of the last commit that is there or that a snapshot includes.
  func lastNumber() throws(SQLiteError) -> UInt64 {
    let commit = try database.number("SELECT max(number) FROM commits") ?? 0
    let snapshot = try database.number("SELECT max(number) FROM snapshots") ?? 0
    return UInt64(max(commit, snapshot, 0))
  }

  /// The number and the parts of the newest snapshot.
  func lastSnapshot() throws(SQLiteError) -> (number: UInt64, parts: Parts)? {
    let row = try database.prepare("SELECT number, first_part, parts FROM snapshots ORDER BY number DESC LIMIT 1")
    guard try row.step() else { return nil }
    return (row.unsigned(0) ?? 0, Parts(first: row.integer(1) ?? 0, count: Int(row.integer(2) ?? 0)))
  }
}

extension Commit {
  /// The commit in a row of all columns, if the checksum is right.
  fileprivate init?(_ row: Statement) {
    guard let number = row.unsigned(0), let time = row.integer(1), let count = row.integer(2),
      let entries = row.blob(3), let hash = row.unsigned(4), let checksum = row.integer(5)
    else { return nil }
    self.init(number: number, time: time, count: Int(count), entries: entries, hash: hash)
    if checksum != self.checksum { return nil }
  }
}
