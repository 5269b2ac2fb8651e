import Glibc

/// The names in a folder, read in portions.
final class FolderReading {
  /// The result of a read.
  enum Entry {
    /// An entry; `isFile` is true for what is certainly no folder.
    case name(String, isFile: Bool)
    /// A name that is not UTF-8.
    case unreadable
  }

  private let stream: OpaquePointer

  init(_ path: String) throws(Errno) {
    let number = retryingInterrupts { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK) }
    if number == -1 { throw .last("open", path) }
    guard let stream = fdopendir(number) else {
      let error = Errno.last("fdopendir", path)
      close(number)
      throw error
    }
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// Returns the next entry but `.` and `..`; `nil` at the end.
  func next() -> Entry? {
    while let entry = readdir(stream) {
      let type = Int(entry.pointee.d_type)
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(validatingCString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      guard let name else { return .unreadable }
      if name != ".", name != ".." { return .name(name, isFile: type != Int(DT_DIR) && type != Int(DT_UNKNOWN)) }
    }
    return nil
  }
}
