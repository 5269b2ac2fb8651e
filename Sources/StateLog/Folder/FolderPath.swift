import Glibc
import Linux

/// The paths of a folder and of the files in it.
struct FolderPath: Sendable {
  let path: String
  /// The boot ID as recorded in a mark: data written since this boot exists without a sync.
  var boot = LogMark.boot

  var lock: String { "\(path)/lock" }
  var database: String { "\(path)/state.sqlite" }
  /// SQLite's write-ahead log; its name is fixed by SQLite.
  var log: String { Self.log(of: database) }
  /// SQLite's index of that log, recreated if missing.
  var index: String { "\(database)-shm" }

  /// The mark, which records the end of that log.
  var mark: String { Self.mark(of: database) }

  static func mark(of database: String) -> String { "\(database)-mark" }
  static func log(of database: String) -> String { "\(database)-wal" }

  /// The parent folder.
  var parent: String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let parent = parts.dropLast().joined(separator: "/")
    return path.hasPrefix("/") ? "/\(parent)" : parent.isEmpty ? "." : parent
  }

  // MARK: Syncing directory entries

  /// Syncs the names of the files in the folder.
  func syncNames() throws(StorageError) { try sync(path) }

  /// Syncs the name of the folder itself.
  func syncOwnName() throws(StorageError) { try sync(parent) }

  private func sync(_ path: String) throws(StorageError) {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if number == -1 { throw failed(.last("open", path)) }
    let descriptor = OwnedDescriptor(owning: number)
    if fsync(descriptor.number) == -1 { throw failed(.last("fsync", path)) }
  }

  // MARK: Errors

  /// Returns true if there is a database.
  ///
  /// - Throws: An error for an empty one, which SQLite would treat as new and delete the log that belonged to it, and for a
  ///   missing one if other files show that there was one.
  func hasDatabase() throws(StorageError) -> Bool {
    var status = stat()
    if stat(database, &status) == 0 {
      if status.st_size == 0 { throw lost("is damaged: it is empty") }
      return true
    }
    if errno != ENOENT && errno != ENOTDIR { throw failed(.last("stat", database)) }
    if let error = try missingDatabase() { throw error }
    return false
  }

  /// Returns an error for a missing database if other files show that there was one.
  private func missingDatabase() throws(StorageError) -> StorageError? {
    if access(log, F_OK) == 0 { return lost("is missing, but its write-ahead log exists") }
    switch try FoundMark(of: self) {
    case .missing: return nil
    case .damaged: return lost("is missing, but \(mark) exists")
    case .found(let found, _):
      // A folder whose creation was interrupted has one too.
      let last = found.reach.written
      if last.number == 0 { return nil }
      return lost("is missing, but \(mark) names commit \(last.number) of \(WallTime(microseconds: last.time).text)")
    }
  }

  func failed(_ error: Errno) -> StorageError {
    StorageError(
      error.number == ENOSPC || error.number == EDQUOT ? .full : .failed, "\(error)",
      advice: error.number == EACCES ? rights : nil)
  }

  /// The advice for a folder with another owner.
  private var rights: String {
    "\(path) and its files must belong to user \(CurrentProcess.userID), with modes 0700 and 0600"
  }

  /// Returns an error for damage with valid parts; the sentence continues after the path.
  func damaged(_ sentence: String) -> StorageError { damaged("\(database) \(sentence)", isRepairable: true) }

  /// Returns an error for damage without valid parts.
  func lost(_ sentence: String) -> StorageError { damaged("\(database) \(sentence)", isRepairable: false) }

  /// Returns an error for damage, with advice.
  func damaged(_ sentence: String, isRepairable: Bool) -> StorageError {
    let repair = isRepairable ? "keep the intact part with `signalbox state repair --state \(path)`, " : ""
    return StorageError(
      .damaged, sentence, advice: "restore a copy of \(path), \(repair)or move it away to start without state")
  }

  /// Returns the error for a file that was replaced while the daemon has it open.
  func displaced(_ file: String) -> StorageError {
    StorageError(
      .failed,
      "\(file) was removed or replaced while in use: writing stopped; restore \(path) as it was, "
        + "or keep it as it is, and restart the daemon to resume from it")
  }

  /// Converts an error of SQLite.
  func error(_ error: SQLiteError) -> StorageError {
    let number = error.errno == 0 ? "" : ": \(Errno(error.errno, call: "errno").reason)"
    let reason = "\(error.message)\(number) (SQLite \(error.code))"
    return switch error.kind {
    case .damaged: damaged("is damaged: \(reason)")
    case .full: StorageError(.full, "\(database) cannot grow: \(reason); free disk space")
    case .busy:
      StorageError(.busy, "\(database) is locked by another program: \(reason); end that program's transaction")
    case let kind:
      StorageError(
        kind,
        error.isSync
          ? "\(database) could not be synced: \(reason); writing stopped, since written data may be lost"
          : "\(database): \(reason)", advice: error.isDenied ? rights : nil)
    }
  }

  /// Runs a database operation and converts its errors.
  func translating<Result>(_ body: () throws(SQLiteError) -> Result) throws(StorageError) -> Result {
    do throws(SQLiteError) { return try body() } catch { throw self.error(error) }
  }
}
