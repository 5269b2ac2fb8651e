import Glibc
import Linux

/// A folder whose database is replaced by another one, which no daemon can have meanwhile.
package final class ReplacedFolder {
  private let folder: FolderPath
  private let lock: FolderLock

  /// Takes a folder, or makes it.
  package init(_ path: String) throws(StorageError) {
    folder = FolderPath(path: path)
    try NewFolder.makeIfMissing(folder)
    lock = try FolderLock(folder)
  }

  /// Whether there is something to replace.
  package var hasDatabase: Bool { access(folder.database, F_OK) == 0 || access(folder.log, F_OK) == 0 }

  /// Puts the database of a folder that is closed in the place of its own.
  ///
  /// It can be ended at any point: then the daemon begins with the old one or the new one, or says what is missing.
  ///
  /// - Returns: the path under which the old one is kept, if there was one.
  @discardableResult
  package func replace(by other: ScratchFolder) throws(StorageError) -> String? {
    let source = FolderPath(path: other.path)
    var status = stat()
    if stat(source.log, &status) == 0, status.st_size > 0 {
      throw StorageError(.failed, "\(source.database) was not closed")
    }
    let kept = try setAside()
    try check(rename(source.database, folder.database), "rename", source.database)
    try folder.syncNames()
    // It is empty, and would not be missed by the next one either.
    unlink(folder.log)
    return kept
  }

  /// Gives the old database another name, together with its log.
  ///
  /// At each moment there is a log, from which a daemon sees that a database is missing; and when the new one comes, no log
  /// of the old one is beside it.
  private func setAside() throws(StorageError) -> String? {
    guard hasDatabase else { return nil }
    let kept = freeName()
    let log = open(folder.log, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try check(log, "open", folder.log)
    close(log)
    try check(link(folder.log, FolderPath.log(of: kept)), "link", folder.log)
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
    while access(name, F_OK) == 0 || access(FolderPath.log(of: name), F_OK) == 0 {
      count += 1
      name = "\(first)-\(count)"
    }
    return name
  }

  private func check(_ result: Int32, _ call: String, _ path: String) throws(StorageError) {
    if result == -1 { throw folder.failed(.last(call, path)) }
  }
}
