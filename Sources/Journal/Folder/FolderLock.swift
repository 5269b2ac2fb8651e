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
    if flock(number, LOCK_EX | LOCK_NB) == -1 {
      if errno != EWOULDBLOCK { throw folder.failed(.last("flock", folder.lock)) }
      let owner = Self.owner(of: folder).map { "process \($0)" } ?? "another process"
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

  /// The process that has taken the lock last, as its file says.
  private static func owner(of folder: FolderPath) -> Int32? {
    guard let bytes = try? RegularFile.read(folder.lock, limit: 64) else { return nil }
    return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}
