import Glibc

/// The names in a folder, read in portions.
final class FolderReading {
  /// The result of a read.
  enum Entry {
    /// An entry; `isFile` is true for what is certainly no folder.
    case name(String, isFile: Bool)
    /// A name that is not UTF-8, with the byte 0 at its end.
    case unreadable([CChar])
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
      let (name, bytes) = withUnsafePointer(to: &entry.pointee.d_name) { field -> (String?, [CChar]) in
        let start = UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self)
        if let name = String(validatingCString: start) { return (name, []) }
        return (nil, Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1)))
      }
      guard let name else { return .unreadable(bytes) }
      if name != ".", name != ".." { return .name(name, isFile: type != Int(DT_DIR) && type != Int(DT_UNKNOWN)) }
    }
    return nil
  }
}
