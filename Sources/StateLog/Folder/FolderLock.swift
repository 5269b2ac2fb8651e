import Glibc
import Linux

/// The lock of a folder, held by one process (`flock(2)`) until it ends in any way.
final class FolderLock: Sendable {
  // Closing the file releases the lock.
  private let file: OwnedDescriptor

  /// Locks a folder and records the owner in the lock file.
  init(_ folder: FolderPath) throws(StorageError) {
    let number = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if number == -1 { throw folder.failed(.last("open", folder.lock)) }
    file = OwnedDescriptor(owning: number)
    if !Self.take(number) {
      if errno != EWOULDBLOCK { throw folder.failed(.last("flock", folder.lock)) }
      let owner = Self.lastOwner(of: folder).map { "process \($0)" } ?? "another process"
      throw StorageError(
        .locked, "\(folder.path) is locked by \(owner): stop it, or configure another folder")
    }
    do throws(Errno) {
      if ftruncate(number, 0) == -1 { throw .last("ftruncate", folder.lock) }
      try file.transfer.writeAll("\(CurrentProcess.identifier)\n")
    } catch {
      // The number is only informative, so a full disk is no reason to fail.
      if error.number != ENOSPC && error.number != EDQUOT { throw folder.failed(error) }
    }
  }

  /// Tries to take the lock; sets `errno` on failure.
  ///
  /// A child of the last owner may hold it for a moment: between fork(2) and execve(2).
  private static func take(_ number: Int32) -> Bool {
    for _ in 0..<10 {
      if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
      if errno != EWOULDBLOCK { return false }
      usleep(20_000)
    }
    return flock(number, LOCK_EX | LOCK_NB) == 0
  }

  /// Returns the process that holds the lock, if there is one and its number is known.
  static func owner(of folder: FolderPath) -> Int32? {
    var status = stat()
    // Taking the lock to test it would block a daemon that starts at that moment.
    guard stat(folder.lock, &status) == 0, let locks = try? RegularFile.read("/proc/locks", limit: 16 << 20) else {
      return nil
    }
    // 3: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF; file systems differ in the device that they report.
    let isLocked = String(decoding: locks, as: UTF8.self).split(separator: "\n").contains {
      $0.contains(" FLOCK ") && $0.contains(":\(status.st_ino) ")
    }
    return isLocked ? lastOwner(of: folder) : nil
  }

  /// Returns the last process that took the lock, by its number in its own container.
  private static func lastOwner(of folder: FolderPath) -> Int32? {
    guard let bytes = try? RegularFile.read(folder.lock, limit: 64) else { return nil }
    return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}
