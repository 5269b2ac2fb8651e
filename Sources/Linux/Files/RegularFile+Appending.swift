import CSystemd
import Glibc

extension RegularFile {
  /// Adds bytes at the end of a file, which is made if it is missing.
  ///
  /// They are written at once, so that those of several writers do not mix. Where the disk is full before the last one,
  /// none is left in the file. It is not flushed to the disk.
  package static func append(_ content: [UInt8], to path: String) throws(FileError) {
    let number = retryingInterrupts { open(path, appending, 0o666) }
    if number == -1 { throw .system(.last("open", path)) }
    try append(content, to: OwnedDescriptor(owning: number), path)
  }

  /// It is opened without blocking, so that a pipe in its place cannot hold up the caller.
  static let appending = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOCTTY

  /// - Parameter path: Its path, for messages.
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

  /// Takes a part of a line away again, unless somebody else has written behind it.
  private static func takeBack(_ count: Int, of file: borrowing OwnedDescriptor) {
    let end = lseek(file.number, 0, SEEK_CUR)
    var status = stat()
    guard count > 0, fstat(file.number, &status) == 0, status.st_size == end else { return }
    _ = ftruncate(file.number, end - off_t(count))
  }
}
