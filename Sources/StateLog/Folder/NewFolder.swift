import Glibc
import Linux

/// Creation of a folder, which may be interrupted and repeated at any point.
enum NewFolder {
  static func makeIfMissing(_ folder: FolderPath) throws(StorageError) {
    if mkdir(folder.path, 0o700) == 0 {
      // A parent with write but without read permission cannot be opened for a sync.
      return access(folder.parent, R_OK) == 0 ? try folder.syncOwnName() : ()
    }
    if errno != EEXIST { throw folder.failed(.last("mkdir", folder.path)) }
    if FilePermissions(path: folder.path)?.isFolder != true {
      throw StorageError(.failed, "\(folder.path) is not a directory")
    }
  }

  /// Creates the database of a folder that has none; the caller holds the lock.
  ///
  /// - Parameter epoch: The epoch to continue; `nil` for a new one.
  static func fillIfEmpty(_ folder: FolderPath, program: String, epoch: String?) throws(StorageError) {
    if try folder.hasDatabase() { return }
    // Renamed when complete, so that a database with the final name is complete.
    let draft = "\(folder.database).new"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(draft + suffix) }
    // Created with its final permissions, which SQLite copies to the files next to it.
    let number = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if number == -1 { throw folder.failed(.last("open", draft)) }
    close(number)
    try folder.translating { () throws(SQLiteError) in try fill(draft, program: program, epoch) }
    // The mark precedes the database, whose presence requires it.
    try NewMark.make(folder)
    if rename(draft, folder.database) == -1 { throw folder.failed(.last("rename", draft)) }
    try folder.syncNames()
  }

  private static func fill(_ path: String, program: String, _ epoch: String?) throws(SQLiteError) {
    let database = try Database(path, .create)
    try database.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA synchronous = FULL")
    try database.transaction { () throws(SQLiteError) in
      try database.execute("\(Meta.table); \(Contents.tables)")
      let meta = Meta(
        epoch: epoch ?? Meta.newEpoch(), created: WallTime.now().microseconds, writtenBy: program)
      try meta.insert(into: database)
      try database.requireMark()
    }
    try database.execute("PRAGMA journal_mode = WAL")
  }
}
