import CSystemd
import Glibc

/// A temporary folder that only this user can open, removed with its contents when released.
///
/// Its process holds a lock on it (`flock(2)`), so that the next one that creates a folder in the same parent removes
/// those of killed processes.
package final class PrivateFolder {
  package let path: String
  private let lock: OwnedDescriptor

  /// The number of attempts to create one that a cleaning process does not take for an abandoned one.
  private static let attempts = 10

  /// Creates a folder, and removes abandoned ones.
  ///
  /// - Parameter prefix: The beginning of its name, followed by a dot and six random characters.
  package init(_ prefix: String, in parent: String) throws(Errno) {
    Self.clean(parent, prefix)
    for _ in 0..<Self.attempts {
      var template = Array("\(parent)/\(prefix).XXXXXX".utf8CString)
      if mkdtemp(&template) == nil { throw .last("mkdtemp", parent) }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard let lock = Self.lock(path) else { continue }
      self.path = path
      self.lock = lock
      return
    }
    throw Errno(EAGAIN, call: "mkdtemp", subject: parent)
  }

  deinit { Self.remove(path) }

  /// Creates a folder in it.
  package func addFolder(_ name: String) throws(Errno) {
    if mkdir("\(path)/\(name)", 0o700) == -1 { throw .last("mkdir", "\(path)/\(name)") }
  }

  /// Removes a file or a folder in it.
  package func remove(_ name: String) { Self.remove("\(path)/\(name)") }

  /// Opens and locks a folder; `nil` if it is in use, is no folder, or has been removed.
  private static func lock(_ path: String) -> OwnedDescriptor? {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if number == -1 { return nil }
    let folder = OwnedDescriptor(owning: number)
    var (status, present) = (stat(), stat())
    guard flock(number, LOCK_EX | LOCK_NB) == 0, fstat(number, &status) == 0, lstat(path, &present) == 0,
      status.st_ino == present.st_ino, status.st_dev == present.st_dev, status.st_uid == geteuid()
    else { return nil }
    return folder
  }

  /// Removes the folders of killed processes.
  private static func clean(_ parent: String, _ prefix: String) {
    for name in (try? FolderListing.names(in: parent)) ?? [] where name.hasPrefix("\(prefix).") {
      let path = "\(parent)/\(name)"
      if let lock = lock(path) { withExtendedLifetime(lock) { remove(path) } }
    }
  }

  /// Removes a file, or a folder with its contents, without following links.
  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    for name in (try? FolderListing.names(in: path)) ?? [] {
      remove("\(path)/\(name)")
    }
    rmdir(path)
  }
}
