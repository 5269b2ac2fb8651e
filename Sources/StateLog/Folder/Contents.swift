import Linux

/// A validating reader of a folder's contents: ignores rows with an invalid checksum.
struct Contents {
  let folder: FolderPath
  let database: Database
  /// The mark, read before the database, so that it never exceeds it.
  let mark: FoundMark
  /// True for a single database file, which needs no mark.
  var isAlone = false

  /// Opens a folder without moving its write-ahead log on close.
  init(_ folder: FolderPath, _ access: Database.Access = .write) throws(StorageError) {
    self.folder = folder
    mark = try FoundMark(of: folder)
    database = try folder.translating { () throws(SQLiteError) in try Database(folder.database, access) }
    database.leaveLog()
  }

  init(folder: FolderPath, database: Database, mark: FoundMark) {
    self.folder = folder
    self.database = database
    self.mark = mark
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

  /// Reads in one transaction.
  func atOneMoment<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    let isOutermost = !database.isInTransaction
    if isOutermost { try folder.translating { () throws(SQLiteError) in try database.execute("BEGIN") } }
    defer { if isOutermost { try? database.execute("COMMIT") } }
    return try body()
  }

  /// Checks that no page of the database is used twice: writing to such a page would spread the damage.
  func checkPages() throws(StorageError) {
    let answer = try folder.translating { () throws(SQLiteError) in try database.text("PRAGMA quick_check(1)") }
    if answer != "ok" { throw folder.damaged("is damaged: \(answer ?? "cannot check its pages")") }
  }

  /// Returns the snapshot with the highest number, if there is one.
  func newestSnapshot() throws(StorageError) -> Snapshot? {
    try atOneMoment { () throws(StorageError) in try readNewestSnapshot() }
  }

  private func readNewestSnapshot() throws(StorageError) -> Snapshot? {
    try checkMark()
    let notes = [try Meta(of: database, in: folder).lastSnapshot, mark.mark?.reach.snapshot]
    let noted = notes.compactMap { $0 }.max()
    let row = try folder.translating { () throws(SQLiteError) in
      let row = try database.prepare(
        """
        SELECT number, time, hash, configuration, first_part, parts, checksum FROM snapshots
        ORDER BY number DESC LIMIT 1
        """)
      return try row.step() ? row : nil
    }
    guard let row else {
      if let noted { throw folder.damaged("is damaged: snapshot \(noted) is missing\(reach(beyond: 0))") }
      return nil
    }
    let read = try folder.translating { () throws(SQLiteError) in try snapshot(row) }
    guard let snapshot = read else {
      throw folder.damaged("is damaged: checksum mismatch in snapshot \(Self.name(row))")
    }
    if let number = noted, number > snapshot.number {
      throw folder.damaged("is damaged: snapshot \(number) is missing; the previous one is \(Self.name(row))")
    }
    try check(LogMark.Place(snapshot))
    return snapshot
  }

  /// Returns the snapshot with a number; `nil` if it was deleted after it was listed.
  func snapshot(numbered number: UInt64) throws(StorageError) -> Snapshot? {
    try atOneMoment { () throws(StorageError) in
      let read = try folder.translating { () throws(SQLiteError) in
        let row = try database.prepare(
          "SELECT number, time, hash, configuration, first_part, parts, checksum FROM snapshots WHERE number = ?")
        row.bind(1, number)
        return try row.step() ? (name: Self.name(row), snapshot: try snapshot(row)) : nil
      }
      if let read, read.snapshot == nil {
        throw folder.damaged("is damaged: checksum mismatch in snapshot \(read.name)")
      }
      return read?.snapshot
    }
  }

  /// Returns the snapshot of a row with its parts, if the checksum is valid.
  private func snapshot(_ row: Statement) throws(SQLiteError) -> Snapshot? {
    guard let number = row.unsigned(0), let time = row.integer(1), let hash = row.unsigned(2),
      let configuration = row.blob(3), let first = row.integer(4), let count = row.integer(5),
      let checksum = row.integer(6)
    else { return nil }
    let parts = try database.prepare("SELECT number, state FROM parts WHERE number >= ? ORDER BY number")
    parts.bind(1, first)
    var (state, next): ([UInt8], Int64) = ([], 0)
    while next < count, try parts.step() {
      // With damaged numbers, the sum may overflow.
      guard parts.integer(0) == first &+ next, let part = parts.blob(1) else { return nil }
      state += part
      next += 1
    }
    let snapshot = Snapshot(number: number, time: time, hash: hash, configuration: configuration, state: state)
    return next == count && checksum == snapshot.checksum ? snapshot : nil
  }

  /// Reads and validates the commits in a range, oldest first.
  func forEachCommit(
    after number: UInt64, upTo end: UInt64 = UInt64(Int64.max), _ body: (Commit) throws(StorageError) -> Void
  ) throws(StorageError) {
    let noted = max(try Meta(of: database, in: folder).lastCommit, floor.number)
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
          "is damaged: checksum mismatch in commit \(Self.name(row))\(Self.sound(last, lastTime))")
      }
      try check(LogMark.Place(commit))
      (last, lastTime) = (commit.number, commit.time)
      try body(commit)
    }
    if end == UInt64(Int64.max) { try checkMark() }
    guard min(noted, end) > last else { return }
    // A snapshot may replace the last commit.
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
      let words = "\(error.message) (SQLite \(error.code))"
      throw folder.damaged("is damaged: \(words)\(Self.sound(last, time))\(reach(beyond: last))")
    }
  }

  private func missing(_ number: UInt64, _ lastTime: Int64?) -> StorageError {
    let last = number - 1
    return folder.damaged(
      "is damaged: commit \(number) is missing\(Self.sound(last, lastTime))\(reach(beyond: last))")
  }

  /// Returns the number and time of a row for messages.
  private static func name(_ row: Statement) -> String {
    "\(row.unsigned(0) ?? 0)" + (row.integer(1).map { " of \(WallTime(microseconds: $0).text)" } ?? "")
  }

  private static func sound(_ number: UInt64, _ time: Int64?) -> String {
    guard let time else { return "" }
    return "; intact up to commit \(number) of \(WallTime(microseconds: time).text)"
  }

  /// Returns the number of the last commit, stored or included in a snapshot.
  func lastNumber() throws(SQLiteError) -> UInt64 {
    let commit = try database.number("SELECT max(number) FROM commits") ?? 0
    let snapshot = try database.number("SELECT max(number) FROM snapshots") ?? 0
    return UInt64(max(commit, snapshot, 0))
  }

  /// Returns the number and the parts of the newest snapshot.
  func lastSnapshot() throws(SQLiteError) -> (number: UInt64, parts: Parts)? {
    let row = try database.prepare("SELECT number, first_part, parts FROM snapshots ORDER BY number DESC LIMIT 1")
    guard try row.step() else { return nil }
    return (row.unsigned(0) ?? 0, Parts(first: row.integer(1) ?? 0, count: Int(row.integer(2) ?? 0)))
  }
}

extension Commit {
  /// Reads a commit from a row with all columns; `nil` if the checksum is invalid.
  fileprivate init?(_ row: Statement) {
    guard let number = row.unsigned(0), let time = row.integer(1), let count = row.integer(2),
      let entries = row.blob(3), let hash = row.unsigned(4), let checksum = row.integer(5)
    else { return nil }
    self.init(number: number, time: time, count: Int(count), entries: entries, hash: hash)
    if checksum != self.checksum { return nil }
  }
}
