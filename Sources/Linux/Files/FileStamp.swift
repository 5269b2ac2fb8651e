import Glibc

/// The properties of a file that differ after a change.
package struct FileStamp: Equatable, Sendable {
  package let inode: UInt64
  /// In bytes.
  package let size: Int64
  /// The time of the last modification, in nanoseconds since 1970.
  package let modified: Int64

  package init(inode: UInt64, size: Int64, modified: Int64) {
    (self.inode, self.size, self.modified) = (inode, size, modified)
  }

  init(_ status: stat) {
    self.init(
      inode: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: (Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue)
        &+ Int64(status.st_mtim.tv_nsec))
  }
}
