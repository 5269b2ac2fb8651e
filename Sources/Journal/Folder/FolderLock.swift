import Glibc
import Linux

/// The lock of a folder belongs to one process (`flock(2)`), and ends with it however that ends.
final class FolderLock: Sendable {
  // Open until nobody needs the folder any more: closing it is what unlocks.
  private let file: OwnedDescriptor

  /// Takes the lock of a folder, and writes into its file who has it.
  init(_ folder: FolderPath) throws(StorageError) {
    let number = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if number == -1 { throw folder.failed(.last("open", folder.lock)) }
    file = OwnedDescriptor(owning: number)
    if !Self.take(number) {
      if errno != EWOULDBLOCK { throw folder.failed(.last("flock", folder.lock)) }
      let owner = Self.lastOwner(of: folder).map { "process \($0)" } ?? "another process"
      throw StorageError(
        .locked, "\(folder.path) belongs to \(owner), which is running; stop that, or give this daemon another folder")
    }
    do throws(Errno) {
      if ftruncate(number, 0) == -1 { throw .last("ftruncate", folder.lock) }
      try file.transfer.writeAll("\(CurrentProcess.identifier)\n")
    } catch {
      // The number is only for people, and a full disk is no reason not to start.
      if error.number != ENOSPC && error.number != EDQUOT { throw folder.failed(error) }
    }
  }

  /// Takes the lock, or leaves in `errno` why not.
  ///
  /// A program that its last owner was just starting may have it for a moment longer: from fork(2) to execve(2).
  private static func take(_ number: Int32) -> Bool {
    for _ in 0..<10 {
      if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
      if errno != EWOULDBLOCK { return false }
      usleep(20_000)
    }
    return flock(number, LOCK_EX | LOCK_NB) == 0
  }

  /// The process that has the lock now, if one has and its number can be known.
  static func owner(of folder: FolderPath) -> Int32? {
    var status = stat()
    // Taking the lock to see whether it is free would keep away a daemon that starts at that moment.
    guard stat(folder.lock, &status) == 0, let locks = try? RegularFile.read("/proc/locks", limit: 16 << 20) else {
      return nil
    }
    // 3: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF; file systems differ in what they say of the device.
    let isLocked = String(decoding: locks, as: UTF8.self).split(separator: "\n").contains {
      $0.contains(" FLOCK ") && $0.contains(":\(status.st_ino) ")
    }
    return isLocked ? lastOwner(of: folder) : nil
  }

  /// The process that has taken the lock last, by its number in its own container.
  private static func lastOwner(of folder: FolderPath) -> Int32? {
    guard let bytes = try? RegularFile.read(folder.lock, limit: 64) else { return nil }
    return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}
