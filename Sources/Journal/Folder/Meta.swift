/// The folder's word about itself: the only row of the table `meta`.
struct Meta: Equatable {
  /// The version of the folder's form that this program writes, and the highest that it reads.
  ///
  /// With 2 the entries say who sent them.
  static let version: Int64 = 2

  /// The version that the folder has; one of an older program has its own until something is written in it.
  var version = Self.version
  var epoch: String
  /// When the folder was made, in microseconds since 1970.
  var created: Int64
  /// The program that made the folder.
  var writtenBy: String
  /// The number of a commit up to which the folder is known to reach.
  ///
  /// Damage can take rows away without leaving a gap: the last ones. So before rows go from the log, which SQLite has
  /// checksums for, into the database, which has none, the last of them is noted here.
  var lastCommit: UInt64 = 0
  /// The number of a snapshot that was there at that time.
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

  /// Notes the version, the last commit and the last snapshot.
  func update(in database: Database) throws(SQLiteError) {
    let statement = try database.prepare(
      "UPDATE meta SET version = ?, last_commit = ?, last_snapshot = ?, checksum = ?")
    statement.bind(1, version)
    bindLast(statement, 2)
    try statement.run()
  }

  private func bindLast(_ statement: Statement, _ index: Int32) {
    statement.bind(index, lastCommit)
    if let lastSnapshot { statement.bind(index + 1, lastSnapshot) }
    statement.bind(index + 2, checksum)
  }

  /// Reads the row of a folder, whose version comes first: a newer one may have other columns.
  init(of database: Database, in folder: FolderPath) throws(StorageError) {
    let version = try folder.translating { () throws(SQLiteError) in try database.number("SELECT version FROM meta") }
    guard let version, version > 0 else { throw folder.damaged("is damaged: it does not say its version") }
    if version > Self.version {
      throw StorageError(
        .newerVersion,
        "\(folder.database) was written by a newer signalbox (version \(version)), this one reads up to version "
          + "\(Self.version); start the newer one again, or give this one another folder")
    }
    let meta = try folder.translating { () throws(SQLiteError) in try Meta(row: database) }
    guard let meta else { throw folder.damaged("is damaged: its table \"meta\" is not as it was written") }
    self = meta
  }

  /// The only row, if its checksum is right.
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
