import Glibc

/// A file that is read to its end, again and again.
final class TailedFile {
  let identity: FileIdentity
  private let descriptor: OwnedDescriptor
  private var offset: Int64 = 0

  private init(_ descriptor: consuming OwnedDescriptor, _ status: stat) {
    self.descriptor = descriptor
    identity = FileIdentity(status)
  }

  /// A regular file; `nil` where there is none.
  static func open(_ path: String) throws(FileError) -> TailedFile? {
    let number = retryingInterrupts { Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
    if number == -1 {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .system(.last("open", path))
    }
    let descriptor = OwnedDescriptor(owning: number)
    var status = stat()
    if fstat(number, &status) == -1 { throw .system(.last("fstat", path)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
    return TailedFile(descriptor, status)
  }

  var place: FileTail.Place { FileTail.Place(device: identity.device, inode: identity.inode, offset: offset) }

  func skip(to offset: Int64) { self.offset = offset }

  var isEmpty: Bool { size == 0 }

  /// Whether it has no name any more.
  var isRemoved: Bool {
    var status = stat()
    return fstat(descriptor.number, &status) == 0 && status.st_nlink == 0
  }

  /// Reads a piece; `false` at the end, which an error stands for too.
  func read(upTo count: Int, _ receive: (FileTail.Event) -> Void) -> Bool {
    if size < offset {
      offset = 0
      receive(.truncated)
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      length = max(0, pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(offset)))
    }
    if bytes.isEmpty { return false }
    offset += Int64(bytes.count)
    receive(.appended(bytes))
    receive(.reached(place))
    return true
  }

  /// In bytes.
  var size: Int64 {
    var status = stat()
    return fstat(descriptor.number, &status) == 0 ? Int64(status.st_size) : 0
  }
}
