import Glibc

/// The identity of the file currently at a path, symbolic links not followed.
package struct FileIdentity: Equatable, Sendable {
  package let device: UInt64
  package let inode: UInt64
  let isSocket: Bool

  /// Identifies the file at a path; `nil` if there is none.
  package init?(path: String) {
    var status = stat()
    if lstat(path, &status) == -1 { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    isSocket = status.st_mode & S_IFMT == S_IFSOCK
  }
}
