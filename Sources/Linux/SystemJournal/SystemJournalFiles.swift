import Glibc

/// The files of the system journal.
package enum SystemJournalFiles {
  /// The folders of this machine's journal: the persistent and the volatile one.
  package static let folders = ["/var/log/journal", "/run/log/journal"]

  /// Returns the reason for failing to read a whole journal: `EACCES` if a part is unreadable, `ENOENT` if there is no
  /// file; `nil` without a problem.
  ///
  /// - Parameter folder: A folder with journal files; `nil` for those of this machine.
  package static func fault(in folder: String?) -> Errno? {
    var hasFile = false
    do throws(Errno) {
      for folder in folder.map({ [$0] }) ?? folders {
        for path in try files(in: folder) {
          if access(path, R_OK) == -1, errno == EACCES { throw .last("open", path) }
          hasFile = true
        }
      }
    } catch {
      return error
    }
    return hasFile ? nil : Errno(ENOENT, call: "open", subject: folder ?? folders.joined(separator: " or "))
  }

  /// Returns the files in a folder and its subfolders, one per machine.
  private static func files(in folder: String) throws(Errno) -> [String] {
    var files: [String] = []
    for name in try names(in: folder) {
      let path = "\(folder)/\(name)"
      guard !isJournal(name) else {
        files.append(path)
        continue
      }
      files += try names(in: path).filter(isJournal).map { "\(path)/\($0)" }
    }
    return files
  }

  private static func isJournal(_ name: String) -> Bool { name.hasSuffix(".journal") }

  /// Returns the names in a folder; empty if it does not exist.
  private static func names(in path: String) throws(Errno) -> [String] {
    do throws(Errno) { return try FolderListing.names(in: path) } catch {
      if error.number == EACCES { throw error }
      return []
    }
  }
}
