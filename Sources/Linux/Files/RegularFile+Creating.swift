import Glibc

extension RegularFile {
  /// Creates a file, and the folders on the way to it; one that exists is left alone, with `EEXIST`.
  package static func create(_ content: [UInt8], at path: String) throws(Errno) {
    for (index, character) in path.enumerated() where character == "/" && index > 0 {
      let folder = String(path.prefix(index))
      if mkdir(folder, 0o777) == -1, errno != EEXIST { throw .last("mkdir", folder) }
    }
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if number == -1 { throw .last("open", path) }
    let file = OwnedDescriptor(owning: number)
    try file.transfer.writeAll(content)
    try file.close()
  }
}
