import Glibc
import Linux

/// A folder with the state of durable graphs, owned by one daemon.
///
/// It contains `lock`, locked while the daemon runs, `state.sqlite`, an SQLite database in write-ahead mode that other
/// tools may read at any time, and `state.sqlite-mark`, which records the end of its log.
package final class StateFolder: RecordedState {
  /// A unique name, assigned when the folder is created; a copy gets a new one.
  package let epoch: String

  /// True if the folder is a copy of another one or was restored from one, where the numbers may have other values.
  package let isCopy: Bool

  private let folder: FolderPath
  private let lock: FolderLock
  // Closed before a writer opens its connection, so that the end of that one checkpoints.
  private var opened: Contents?

  /// Opens or creates a folder and locks it for this process.
  ///
  /// - Parameters:
  ///   - program: The name and version of the program, recorded in a new folder.
  ///   - epoch: The epoch of a new folder that replaces another one.
  package convenience init(
    _ path: String, program: String = "signalbox", epoch: String? = nil
  ) throws(StorageError) {
    try self.init(FolderPath(path: path), program: program, epoch: epoch)
  }

  init(_ folder: FolderPath, program: String = "signalbox", epoch: String? = nil) throws(StorageError) {
    try NewFolder.makeIfMissing(folder)
    lock = try FolderLock(folder)
    try NewFolder.fillIfEmpty(folder, program: program, epoch: epoch)
    let contents = try Contents(folder)
    isCopy = contents.mark.isCopy
    // Stored with the first write, after the folder has been validated.
    self.epoch = isCopy ? Meta.newEpoch() : try Meta(of: contents.database, in: folder).epoch
    try contents.checkPages()
    self.folder = folder
    opened = contents
  }

  /// Returns the path of the database in a folder.
  package static func database(in path: String) -> String { FolderPath(path: path).database }

  /// Returns an error for a log that cannot be replayed, with advice.
  ///
  /// Its checksums match, so another version or another machine may well replay it.
  package static func divergence(of path: String, _ reason: String) -> StorageError {
    let folder = FolderPath(path: path)
    return StorageError(
      .damaged, "\(folder.database) is intact, but cannot be replayed here: \(reason)",
      advice: "start the version that wrote it, on the machine that wrote it, restore a copy of \(path), "
        + "or keep what precedes with `signalbox state repair --state \(path)`")
  }

  private func contents() throws(StorageError) -> Contents {
    if let opened { return opened }
    let contents = try Contents(folder)
    opened = contents
    return contents
  }

  package func newestSnapshot() throws(StorageError) -> Snapshot? { try contents().newestSnapshot() }

  /// Reads and validates the commits after a number, oldest first, without gaps.
  package func forEachCommit(
    after number: UInt64, _ body: (Commit) throws(StorageError) -> Void
  ) throws(StorageError) {
    try contents().forEachCommit(after: number, body)
  }

  /// Starts the writer on a thread of its own; there is one at a time.
  ///
  /// - Parameter progressed: Called on that thread after each transaction, sync and failure.
  package func makeWriter(progressed: @escaping @Sendable () -> Void) throws(StorageError) -> StateLogWriter {
    try makeWriter(WriterLimits(), progressed: progressed)
  }

  func makeWriter(
    _ limits: WriterLimits, progressed: @escaping @Sendable () -> Void
  ) throws(StorageError) -> StateLogWriter {
    let writer = try StateLogWriter(folder, lock, limits, epoch: epoch, progressed: progressed)
    opened = nil
    return writer
  }
}
