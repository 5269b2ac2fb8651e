import Glibc
import Linux

/// A locked folder whose database is replaced by another one.
package final class ReplacedFolder {
  private let folder: FolderPath
  private let lock: FolderLock

  /// Opens or creates a folder and locks it.
  package init(_ path: String) throws(StorageError) {
    folder = FolderPath(path: path)
    try NewFolder.makeIfMissing(folder)
    lock = try FolderLock(folder)
  }

  /// True if there is a database to replace.
  package var hasDatabase: Bool { access(folder.database, F_OK) == 0 || access(folder.log, F_OK) == 0 }

  /// Replaces the database with that of a closed folder.
  ///
  /// May be interrupted at any point: the daemon then starts with the old or the new one, or reports what is missing.
  ///
  /// - Returns: The path of the old database, if there was one.
  @discardableResult
  package func replace(by other: ScratchFolder) throws(StorageError) -> String? {
    let source = FolderPath(path: other.path)
    var status = stat()
    if stat(source.log, &status) == 0, status.st_size > 0 {
      throw StorageError(.failed, "\(source.database) was not closed")
    }
    let kept = try setAside()
    // The mark goes first: without its database it is reported.
    try check(rename(source.mark, folder.mark), "rename", source.mark)
    try check(rename(source.database, folder.database), "rename", source.database)
    try folder.syncNames()
    // The placeholder log is empty, and the new database does not need it.
    unlink(folder.log)
    return kept
  }

  /// Renames the old database together with its log and its mark.
  ///
  /// A log exists at every moment, which reveals a missing database to a daemon; and when the new database arrives, no
  /// log of the old one is next to it.
  private func setAside() throws(StorageError) -> String? {
    guard hasDatabase else { return nil }
    let kept = freeName()
    let log = open(folder.log, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try check(log, "open", folder.log)
    close(log)
    try check(link(folder.log, FolderPath.log(of: kept)), "link", folder.log)
    if link(folder.mark, FolderPath.mark(of: kept)) == -1, errno != ENOENT {
      throw folder.failed(.last("link", folder.mark))
    }
    if rename(folder.database, kept) == -1, errno != ENOENT { throw folder.failed(.last("rename", folder.database)) }
    try folder.syncNames()
    let empty = "\(folder.log).new"
    let number = open(empty, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try check(number, "open", empty)
    close(number)
    try check(rename(empty, folder.log), "rename", empty)
    unlink(folder.index)
    try folder.syncNames()
    return kept
  }

  private func freeName() -> String {
    let first = "\(folder.database).damaged"
    var (name, count) = (first, 1)
    func isTaken(_ path: String) -> Bool { access(path, F_OK) == 0 }
    while isTaken(name) || isTaken(FolderPath.log(of: name)) || isTaken(FolderPath.mark(of: name)) {
      count += 1
      name = "\(first)-\(count)"
    }
    return name
  }

  private func check(_ result: Int32, _ call: String, _ path: String) throws(StorageError) {
    if result == -1 { throw folder.failed(.last(call, path)) }
  }
}
