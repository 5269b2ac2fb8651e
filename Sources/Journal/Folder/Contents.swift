import Linux

/// The contents of a folder as they are read: no row counts whose checksum is wrong.
struct Contents {
  let folder: FolderPath
  let database: Database

  static let tables = """
    CREATE TABLE commits (
      number INTEGER PRIMARY KEY, time INTEGER NOT NULL, count INTEGER NOT NULL, entries BLOB NOT NULL,
      hash INTEGER NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE snapshots (
      number INTEGER PRIMARY KEY, time INTEGER NOT NULL, hash INTEGER NOT NULL, configuration BLOB NOT NULL,
      state BLOB NOT NULL, checksum INTEGER NOT NULL)
    """

  /// The snapshot with the highest number, if there is one.
  func newestSnapshot() throws(StorageError) -> Snapshot? {
    let meta = try Meta(of: database, in: folder)
    let row = try folder.translating { () throws(SQLiteError) in
      let row = try database.prepare(
        "SELECT number, time, hash, configuration, state, checksum FROM snapshots ORDER BY number DESC LIMIT 1")
      return try row.step() ? row : nil
    }
    guard let row else {
      if let number = meta.lastSnapshot { throw folder.damaged("is damaged: snapshot \(number) is missing") }
      return nil
    }
    guard let snapshot = Snapshot(row) else {
      throw folder.damaged("is damaged: snapshot \(Self.name(row)) is not as it was written")
    }
    if let number = meta.lastSnapshot, number > snapshot.number {
      throw folder.damaged("is damaged: snapshot \(number) is missing, the one before is \(Self.name(row))")
    }
    return snapshot
  }

  /// Commits after a number, oldest first.
  func forEachCommit(
    after number: UInt64, _ body: (Commit) throws(StorageError) -> Void
  ) throws(StorageError) {
    let meta = try Meta(of: database, in: folder)
    let row = try folder.translating { () throws(SQLiteError) in
      try database.prepare(
        "SELECT number, time, count, entries, hash, checksum FROM commits WHERE number > ? ORDER BY number")
    }
    row.bind(1, Int64(clamping: number))
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
    if meta.lastCommit > last { throw missing(last + 1, lastTime) }
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

  /// The number of the newest snapshot.
  func lastSnapshot() throws(SQLiteError) -> UInt64? {
    try database.number("SELECT max(number) FROM snapshots").map { UInt64(max($0, 0)) }
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

extension Snapshot {
  /// The snapshot in a row of all columns, if the checksum is right.
  fileprivate init?(_ row: Statement) {
    guard let number = row.unsigned(0), let time = row.integer(1), let hash = row.unsigned(2),
      let configuration = row.blob(3), let state = row.blob(4), let checksum = row.integer(5)
    else { return nil }
    self.init(number: number, time: time, hash: hash, configuration: configuration, state: state)
    if checksum != self.checksum { return nil }
  }
}
