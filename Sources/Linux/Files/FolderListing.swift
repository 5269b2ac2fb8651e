import Glibc

/// The names of what is in a folder.
enum FolderListing {
  /// Without `.` and `..`, in no order.
  static func names(in path: String) throws(Errno) -> [String] {
    guard let folder = opendir(path) else { throw .last("opendir", path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
