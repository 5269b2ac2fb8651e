/// The folder's metadata: the only row of the table `meta`.
struct Meta: Equatable {
  /// The format version that this program writes, and the highest that it reads.
  ///
  /// Since version 2, entries record their senders.
  static let version: Int64 = 2

  /// The folder's version; that of an older program is kept until the first write.
  var version = Self.version
  var epoch: String
  /// The creation time, in microseconds since 1970.
  var created: Int64
  /// The program that created the folder.
  var writtenBy: String
  /// The number of a commit that is known to exist.
  ///
  /// Damage can remove rows without a gap: the last ones. So before rows move from the log, which SQLite protects by
  /// checksums, into the database, which it does not, the last of them is recorded here.
  var lastCommit: UInt64 = 0
  /// The number of a snapshot that existed then.
  var lastSnapshot: UInt64?

  var checksum: Int64 {
    var checksum = Checksum()
    checksum.add(version)
    checksum.add(epoch)
    checksum.add(created)
    checksum.add(writtenBy)
    checksum.add(lastCommit)
    checksum.add(lastSnapshot ?? 0)
    checksum.add(lastSnapshot == nil ? 0 : 1 as Int64)
    return checksum.value
  }
}

extension Meta {
  static let table = """
    CREATE TABLE meta (
      version INTEGER NOT NULL, epoch TEXT NOT NULL, created INTEGER NOT NULL, written_by TEXT NOT NULL,
      last_commit INTEGER NOT NULL, last_snapshot INTEGER, checksum INTEGER NOT NULL)
    """

  func insert(into database: Database) throws(SQLiteError) {
    let statement = try database.prepare("INSERT INTO meta VALUES (?, ?, ?, ?, ?, ?, ?)")
    statement.bind(1, version)
    statement.bind(2, epoch)
    statement.bind(3, created)
    statement.bind(4, writtenBy)
    bindLast(statement, 5)
    try statement.run()
  }

  /// Stores the version, the epoch, the last commit and the last snapshot.
  func update(in database: Database) throws(SQLiteError) {
    let statement = try database.prepare(
      "UPDATE meta SET version = ?, epoch = ?, last_commit = ?, last_snapshot = ?, checksum = ?")
    statement.bind(1, version)
    statement.bind(2, epoch)
    bindLast(statement, 3)
    try statement.run()
  }

  /// Returns a new unique name.
  static func newEpoch() -> String {
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return String(repeating: "0", count: 16 - random.count) + random
  }

  private func bindLast(_ statement: Statement, _ index: Int32) {
    statement.bind(index, lastCommit)
    if let lastSnapshot { statement.bind(index + 1, lastSnapshot) }
    statement.bind(index + 2, checksum)
  }

  /// Reads a folder's row, beginning with the version: a newer one may have other columns.
  init(of database: Database, in folder: FolderPath) throws(StorageError) {
    let version = try folder.translating { () throws(SQLiteError) in try database.number("SELECT version FROM meta") }
    guard let version, version > 0 else { throw folder.damaged("is damaged: no version") }
    if version > Self.version {
      throw StorageError(
        .newerVersion,
        "\(folder.database) was written by a newer signalbox (version \(version)); this one supports up to version "
          + "\(Self.version): start the newer one, or configure another folder")
    }
    let meta = try folder.translating { () throws(SQLiteError) in try Meta(row: database) }
    guard let meta else { throw folder.damaged("is damaged: checksum mismatch in table \"meta\"") }
    self = meta
  }

  /// Reads the only row; `nil` if its checksum is invalid.
  private init?(row database: Database) throws(SQLiteError) {
    let row = try database.prepare(
      "SELECT epoch, created, written_by, last_commit, last_snapshot, checksum, version FROM meta")
    guard try row.step(), let epoch = row.text(0), let created = row.integer(1), let writtenBy = row.text(2),
      let lastCommit = row.unsigned(3), row.isNull(4) || row.integer(4) != nil, let checksum = row.integer(5),
      let version = row.integer(6)
    else { return nil }
    self.init(
      version: version, epoch: epoch, created: created, writtenBy: writtenBy, lastCommit: lastCommit,
      lastSnapshot: row.unsigned(4))
    let isAlone = try !row.step()
    if checksum != self.checksum || !isAlone { return nil }
  }
}
