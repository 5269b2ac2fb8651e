import Glibc
import Linux

/// Creation of a mark file, which may be interrupted and repeated at any point.
enum NewMark {
  /// Replaces the mark file; its name is synced together with the folder's.
  @discardableResult
  static func make(_ folder: FolderPath, _ reach: LogMark.Reach = .init(), count: UInt64 = 0) throws(StorageError)
    -> LogMark
  {
    let draft = "\(folder.mark).new"
    unlink(draft)
    let number = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if number == -1 { throw folder.failed(.last("open", draft)) }
    let descriptor = OwnedDescriptor(owning: number)
    guard let birth = FileBirth(path: draft) else { throw folder.failed(.last("statx", draft)) }
    let mark = LogMark(reach: reach, count: count, boot: folder.boot, file: birth)
    var bytes = [UInt8](repeating: 0, count: LogMark.fileSize)
    bytes.replaceSubrange(mark.offset..<mark.offset + LogMark.slotSize, with: mark.bytes)
    do throws(Errno) {
      try descriptor.transfer.writeAll(bytes)
      if fsync(descriptor.number) == -1 { throw .last("fsync", draft) }
      if rename(draft, folder.mark) == -1 { throw .last("rename", draft) }
    } catch {
      unlink(draft)
      throw folder.failed(error)
    }
    return mark
  }
}
