import Glibc
import Linux

/// A folder with the state of durable graphs, which belongs to one daemon.
///
/// In it are `lock`, which is locked while the daemon runs, and `state.sqlite`, a database of SQLite in write-ahead mode,
/// into which people may look with their own tools at any time.
package final class StateFolder {
  /// A name that the folder was given when it was made, and that no other has.
  package let epoch: String

  private let folder: FolderPath
  private let lock: FolderLock
  private let contents: Contents

  /// Opens a folder, or makes it, and takes it for this process.
  ///
  /// - Parameter program: the name and the version of the program, which a new folder tells people who look into it.
  package init(_ path: String, program: String = "signalbox") throws(StorageError) {
    let folder = FolderPath(path: path)
    try NewFolder.makeIfMissing(folder)
    lock = try FolderLock(folder)
    try NewFolder.fillIfEmpty(folder, program: program)
    let database = try folder.translating { () throws(SQLiteError) in try Database(folder.database, .write) }
    epoch = try Meta(of: database, in: folder).epoch
    self.folder = folder
    contents = Contents(folder: folder, database: database)
  }

  /// The newest snapshot, from which recovery starts; `nil` if none was written yet.
  package func newestSnapshot() throws(StorageError) -> Snapshot? { try contents.newestSnapshot() }

  /// Commits after a number, oldest first, each checked, without gaps.
  package func forEachCommit(
    after number: UInt64, _ body: (Commit) throws(StorageError) -> Void
  ) throws(StorageError) {
    try contents.forEachCommit(after: number, body)
  }

  /// Hands the writing over to a thread of its own; one at a time.
  ///
  /// - Parameter progressed: called on that thread after each transaction, sync and failure.
  package func makeWriter(progressed: @escaping @Sendable () -> Void) throws(StorageError) -> JournalWriter {
    try JournalWriter(folder, lock, progressed: progressed)
  }
}
