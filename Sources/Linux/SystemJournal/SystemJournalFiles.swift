import Glibc

/// The files in which the journal of systemd stands, as the file system shows them.
package enum SystemJournalFiles {
  /// The folders of this machine's journal: the one that outlives it, and the one that does not.
  package static let folders = ["/var/log/journal", "/run/log/journal"]

  /// The reason why not all of a journal can be read: `EACCES` where this process may not read a part of it, `ENOENT`
  /// where there is no file at all; `nil` where nothing is in the way.
  ///
  /// - Parameter folder: A folder of files, or `nil` for those of this machine.
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

  /// The files in a folder, and in those in it: each machine has one of its own.
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

  /// Nothing where there is no such folder.
  private static func names(in path: String) throws(Errno) -> [String] {
    do throws(Errno) { return try FolderListing.names(in: path) } catch {
      if error.number == EACCES { throw error }
      return []
    }
  }
}
