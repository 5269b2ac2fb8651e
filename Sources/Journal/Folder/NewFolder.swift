import Glibc
import Linux

/// The making of a folder, which can be ended at any point and begun again.
enum NewFolder {
  static func makeIfMissing(_ folder: FolderPath) throws(StorageError) {
    if mkdir(folder.path, 0o700) == 0 {
      // A folder that may be written but not listed cannot be opened.
      return access(folder.parent, R_OK) == 0 ? try folder.syncOwnName() : ()
    }
    if errno != EEXIST { throw folder.failed(.last("mkdir", folder.path)) }
    if FilePermissions(path: folder.path)?.isFolder != true {
      throw StorageError(.failed, "\(folder.path) is no folder")
    }
  }

  /// Makes the database of a folder that has none; the lock must have been taken.
  ///
  /// - Parameter epoch: the name that it had elsewhere; `nil` gives it a new one.
  static func fillIfEmpty(_ folder: FolderPath, program: String, epoch: String?) throws(StorageError) {
    var status = stat()
    if stat(folder.database, &status) == 0 {
      // SQLite would take an empty file for a new database, and remove the log that belonged to it.
      if status.st_size == 0 { throw folder.lost("is damaged: it is empty") }
      return
    }
    if errno != ENOENT { throw folder.failed(.last("stat", folder.database)) }
    if stat(folder.log, &status) == 0 { throw folder.lost("is missing, but its write-ahead log is there") }
    // It gets its name when it is complete, so a database that has the name is.
    let draft = "\(folder.database).new"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(draft + suffix) }
    // With its rights from the beginning; SQLite gives the same to the files that it makes beside it.
    let number = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if number == -1 { throw folder.failed(.last("open", draft)) }
    close(number)
    try folder.translating { () throws(SQLiteError) in try fill(draft, program: program, epoch) }
    if rename(draft, folder.database) == -1 { throw folder.failed(.last("rename", draft)) }
    try folder.syncNames()
  }

  private static func fill(_ path: String, program: String, _ epoch: String?) throws(SQLiteError) {
    let database = try Database(path, .create)
    try database.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA synchronous = FULL")
    try database.transaction { () throws(SQLiteError) in
      try database.execute("\(Meta.table); \(Contents.tables)")
      let random = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      let meta = Meta(
        epoch: epoch ?? String(repeating: "0", count: 16 - random.count) + random, created: WallTime.now().microseconds,
        writtenBy: program)
      try meta.insert(into: database)
    }
    try database.execute("PRAGMA journal_mode = WAL")
  }
}
