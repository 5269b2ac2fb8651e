import Glibc
import Linux

/// The path of a folder, and those of the files in it.
struct FolderPath: Sendable {
  let path: String

  var lock: String { "\(path)/lock" }
  var database: String { "\(path)/state.sqlite" }
  /// SQLite's write-ahead log, whose name SQLite decides on.
  var log: String { Self.log(of: database) }
  /// SQLite's index of that log, which is made anew where it is missing.
  var index: String { "\(database)-shm" }

  static func log(of database: String) -> String { "\(database)-wal" }

  /// The folder above it.
  var parent: String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let parent = parts.dropLast().joined(separator: "/")
    return path.hasPrefix("/") ? "/\(parent)" : parent.isEmpty ? "." : parent
  }

  // MARK: Bringing names to the disk

  /// Brings the names of the files in it to the disk.
  func syncNames() throws(StorageError) { try sync(path) }

  /// Brings its own name to the disk.
  func syncOwnName() throws(StorageError) { try sync(parent) }

  private func sync(_ path: String) throws(StorageError) {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if number == -1 { throw failed(.last("open", path)) }
    let descriptor = OwnedDescriptor(owning: number)
    if fsync(descriptor.number) == -1 { throw failed(.last("fsync", path)) }
  }

  // MARK: Errors

  func failed(_ error: Errno) -> StorageError {
    StorageError(
      error.number == ENOSPC || error.number == EDQUOT ? .full : .failed, "\(error)",
      advice: error.number == EACCES ? rights : nil)
  }

  /// The advice where the folder is another user's.
  private var rights: String {
    "\(path) and all in it have to belong to user \(CurrentProcess.userID), with mode 0700 and 0600"
  }

  /// Damage of which something may be sound; the sentence goes on after the path.
  func damaged(_ sentence: String) -> StorageError { damaged("\(database) \(sentence)", isRepairable: true) }

  /// Damage of which nothing can be kept.
  func lost(_ sentence: String) -> StorageError { damaged("\(database) \(sentence)", isRepairable: false) }

  /// Damage, and the ways out.
  func damaged(_ sentence: String, isRepairable: Bool) -> StorageError {
    let repair = isRepairable ? "keep what is sound with `signalbox state repair --state \(path)`, " : ""
    return StorageError(
      .damaged, sentence, advice: "put back a copy of \(path), \(repair)or move it away to begin with nothing")
  }

  /// Files that are not those any more which the daemon has open.
  func displaced(_ file: String) -> StorageError {
    StorageError(
      .failed,
      "\(file) was removed or replaced while the daemon uses it: nothing more is written; put back \(path) as it was, "
        + "or leave it as it is now, and start the daemon again, which goes on from what is there")
  }

  /// An error of SQLite in the words of this layer.
  func error(_ error: SQLiteError) -> StorageError {
    let number = error.errno == 0 ? "" : ": \(Errno(error.errno, call: "errno").reason)"
    let reason = "\(error.message)\(number) (SQLite \(error.code))"
    return switch error.kind {
    case .damaged: damaged("is damaged: \(reason)")
    case .full: StorageError(.full, "\(database) cannot grow: \(reason); make room on the disk")
    case .busy:
      StorageError(.busy, "\(database) is being written by another program: \(reason); end that program's transaction")
    case let kind:
      StorageError(
        kind,
        error.isSync
          ? "\(database) could not be synced: \(reason); nothing more is written, since the kernel may have lost a part"
          : "\(database): \(reason)", advice: error.isDenied ? rights : nil)
    }
  }

  /// Does a piece of work with SQLite, and translates its errors.
  func translating<Result>(_ body: () throws(SQLiteError) -> Result) throws(StorageError) -> Result {
    do throws(SQLiteError) { return try body() } catch { throw self.error(error) }
  }
}
