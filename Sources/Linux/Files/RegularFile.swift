import CSystemd
import Glibc

/// Why a file could not be read or written.
package enum FileError: Error, Equatable, CustomStringConvertible {
  case system(Errno)
  /// A device, pipe, socket or folder.
  case notRegular(path: String)
  /// A link where none is followed.
  case link(path: String)
  case tooLong(path: String, limit: Int)

  /// Whether there is no file of that name.
  package var isMissingFile: Bool {
    if case .system(let error) = self { error.number == ENOENT } else { false }
  }

  package var description: String {
    switch self {
    case .system(let error): error.description
    case .notRegular(let path): "\(path): not a regular file"
    case .link(let path): "\(path): a link, which is not followed here"
    case .tooLong(let path, let limit): "\(path): longer than \(limit) bytes"
    }
  }
}

/// Whole files, read and written without ever waiting for a peer.
package enum RegularFile {
  /// Reads a file that is regular, or in /proc or /sys, and not longer than `limit` bytes.
  ///
  /// It is opened without blocking, so that a pipe in its place cannot hold up the caller.
  package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    let number = retryingInterrupts { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
    if number == -1 { throw .system(.last("open", path)) }
    let file = OwnedDescriptor(owning: number)
    var status = stat()
    if fstat(file.number, &status) == -1 { throw .system(.last("fstat", path)) }
    guard status.st_mode & S_IFMT == S_IFREG || isKernelFile(file.number) else { throw .notRegular(path: path) }
    return try contents(of: file, path: path, expected: Int(status.st_size), limit: limit)
  }

  private static func contents(
    of file: borrowing OwnedDescriptor, path: String, expected: Int, limit: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte more than is there finds the end; files of /proc say that they are empty.
    var room = max(min(expected, limit) + 1, 4096)
    do throws(Errno) {
      while bytes.count <= limit {
        let chunk = try file.transfer.read(upTo: room) ?? []
        if chunk.isEmpty { return bytes }
        bytes += chunk
        room = 65536
      }
    } catch {
      throw .system(Errno(error.number, call: error.call, subject: path))
    }
    throw .tooLong(path: path, limit: limit)
  }

  /// Whether the kernel makes up the file as it is read: procfs or sysfs (`statfs(2)`).
  private static func isKernelFile(_ number: Int32) -> Bool {
    var status = statfs()
    guard fstatfs(number, &status) == 0 else { return false }
    return status.f_type == 0x9fa0 || status.f_type == 0x6265_6572
  }

  /// Replaces a file's content in one step: a reader sees the old content or the new, never a part.
  ///
  /// A link is followed, and its target is what is replaced. The mode of the old file is kept, and its owner and group
  /// where the system lets this process give a file to them; a new one gets `mode` without what `umask(2)` takes away.
  /// It is not flushed to the disk.
  package static func write(_ bytes: UnsafeRawBufferPointer, to path: String, mode: UInt32 = 0o666) throws(FileError) {
    do throws(Errno) {
      try replace(path, with: bytes, mode: mode)
    } catch {
      throw .system(error)
    }
  }

  /// The same with the bytes of an array.
  package static func write(_ content: [UInt8], to path: String) throws(FileError) {
    let result: Result<Void, FileError> = content.withUnsafeBytes { bytes in
      do throws(FileError) { return .success(try write(bytes, to: path)) } catch { return .failure(error) }
    }
    try result.get()
  }

  private static func replace(_ path: String, with bytes: UnsafeRawBufferPointer, mode: UInt32) throws(Errno) {
    try replaceEntry(try target(of: path, mode: mode), with: bytes, mode: mode)
  }

  /// The same of a file in a folder that is open; a link there is replaced itself.
  ///
  /// - Parameter path: Its path, for messages.
  static func write(
    _ content: [UInt8], to name: String, in folder: borrowing OwnedDescriptor, shownAs path: String
  ) throws(FileError) {
    let entry = "/proc/self/fd/\(folder.number)/\(name)"
    let result: Result<Void, Errno> = content.withUnsafeBytes { bytes in
      do throws(Errno) { return .success(try replaceEntry(entry, with: bytes, mode: 0o666)) } catch {
        return .failure(Errno(error.number, call: error.call, subject: path))
      }
    }
    do throws(Errno) { try result.get() } catch { throw .system(error) }
  }

  private static func replaceEntry(_ path: String, with bytes: UnsafeRawBufferPointer, mode: UInt32) throws(Errno) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    let mode = isThere ? status.st_mode & 0o7777 : mode & ~CurrentProcess.creationMask
    var template = Array("\(path).XXXXXX".utf8CString)
    let number = mkostemp(&template, O_CLOEXEC)
    if number == -1 { throw .last("mkostemp", path) }
    let file = OwnedDescriptor(owning: number)
    do throws(Errno) {
      try file.transfer.writeAll(bytes)
      if isThere { keepOwner(status, of: file.number) }
      if fchmod(file.number, mode) == -1 { throw .last("fchmod", path) }
      if rename(template, path) == -1 { throw .last("rename", path) }
    } catch {
      _ = unlink(template)
      throw error
    }
  }

  /// Gives a new file to the owner and the group of the old one, or to the group alone, as far as that is permitted.
  private static func keepOwner(_ old: stat, of number: Int32) {
    if fchown(number, old.st_uid, old.st_gid) == -1 { _ = fchown(number, uid_t.max, old.st_gid) }
  }

  /// The path that the links at a path lead to; the file there is made if it is missing.
  ///
  /// The kernel follows them, so what it forbids in folders such as `/tmp` (`fs.protected_symlinks`) is forbidden here.
  private static func target(of path: String, mode: UInt32) throws(Errno) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    // O_PATH, which the headers show only to GNU programs: nothing is opened for reading or writing.
    var number = open(path, 0o10_000_000 | O_CLOEXEC)
    if number == -1, errno == ENOENT { number = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, mode) }
    if number == -1 { throw .last("open", path) }
    let target = OwnedDescriptor(owning: number)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(target.number)", &buffer, buffer.count)
    if count == -1 { throw .last("readlink", path) }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
