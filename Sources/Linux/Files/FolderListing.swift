import Glibc

/// The names in a folder.
package enum FolderListing {
  /// Returns the names without `.` and `..`, unordered.
  package static func names(in path: String) throws(Errno) -> [String] {
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
