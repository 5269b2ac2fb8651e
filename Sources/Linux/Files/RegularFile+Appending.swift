import CSystemd
import Glibc

extension RegularFile {
  /// Appends bytes to a file; creates it if missing.
  ///
  /// Writes them in one call, so that data of several writers does not interleave. If the disk becomes full, the
  /// partial write is removed. Does not sync.
  package static func append(_ content: [UInt8], to path: String) throws(FileError) {
    let number = retryingInterrupts { open(path, appending, 0o666) }
    if number == -1 { throw .system(.last("open", path)) }
    try append(content, to: OwnedDescriptor(owning: number), path)
  }

  /// Opened without blocking, so that a pipe in place of the file cannot block the caller.
  static let appending = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOCTTY

  /// - Parameter path: The path, for messages.
  static func append(
    _ content: [UInt8], to file: consuming OwnedDescriptor, _ path: String
  ) throws(FileError) {
    var status = stat()
    if fstat(file.number, &status) == -1 { throw .system(.last("fstat", path)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
    var written = 0
    while written < content.count {
      let count = content.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        return retryingInterrupts { Glibc.write(file.number, rest.baseAddress, rest.count) }
      }
      if count < 0 {
        let error = Errno.last("write", path)
        takeBack(written, of: file)
        throw .system(error)
      }
      written += count
    }
  }

  /// Removes a partial write, unless another process has appended after it.
  private static func takeBack(_ count: Int, of file: borrowing OwnedDescriptor) {
    let end = lseek(file.number, 0, SEEK_CUR)
    var status = stat()
    guard count > 0, fstat(file.number, &status) == 0, status.st_size == end else { return }
    _ = ftruncate(file.number, end - off_t(count))
  }
}
