import Glibc
import Linux

/// A folder with the state of durable graphs, which belongs to one daemon.
///
/// In it are `lock`, which is locked while the daemon runs, and `state.sqlite`, a database of SQLite in write-ahead
/// mode, into which people may look with their own tools at any time.
package final class StateFolder {
  /// A name that the folder was given when it was made, and that no other has.
  package let epoch: String

  private let folder: FolderPath
  private let lock: FolderLock
  // No connection is open beside that of a writer, so that the end of that one tidies up.
  private var opened: Contents?

  /// Opens a folder, or makes it, and takes it for this process.
  ///
  /// - Parameters:
  ///   - program: the name and the version of the program, which a new folder tells people who look into it.
  ///   - epoch: the name of a new folder that takes the place of another one.
  package init(_ path: String, program: String = "signalbox", epoch: String? = nil) throws(StorageError) {
    let folder = FolderPath(path: path)
    try NewFolder.makeIfMissing(folder)
    lock = try FolderLock(folder)
    try NewFolder.fillIfEmpty(folder, program: program, epoch: epoch)
    let contents = try Contents(folder)
    self.epoch = try Meta(of: contents.database, in: folder).epoch
    try contents.checkPages()
    self.folder = folder
    opened = contents
  }

  /// Damage that shows only where what is recorded is worked out, with the ways out.
  package static func damage(of path: String, _ reason: String) -> StorageError {
    FolderPath(path: path).damaged("is damaged: \(reason)")
  }

  private func contents() throws(StorageError) -> Contents {
    if let opened { return opened }
    let contents = try Contents(folder)
    opened = contents
    return contents
  }

  /// The newest snapshot, from which recovery starts; `nil` if none was written yet.
  package func newestSnapshot() throws(StorageError) -> Snapshot? { try contents().newestSnapshot() }

  /// Commits after a number, oldest first, each checked, without gaps.
  package func forEachCommit(
    after number: UInt64, _ body: (Commit) throws(StorageError) -> Void
  ) throws(StorageError) {
    try contents().forEachCommit(after: number, body)
  }

  /// Hands the writing over to a thread of its own; one at a time.
  ///
  /// - Parameter progressed: called on that thread after each transaction, sync and failure.
  package func makeWriter(progressed: @escaping @Sendable () -> Void) throws(StorageError) -> JournalWriter {
    try makeWriter(WriterLimits(), progressed: progressed)
  }

  func makeWriter(
    _ limits: WriterLimits, progressed: @escaping @Sendable () -> Void
  ) throws(StorageError) -> JournalWriter {
    let writer = try JournalWriter(folder, lock, limits, progressed: progressed)
    opened = nil
    return writer
  }
}
