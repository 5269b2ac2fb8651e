import CDescriptors

/// The identity of a file that no copy shares: its inode number and birth time (`statx(2)`).
///
/// It persists across renames, remounts with another device number and reboots. On file systems without birth times,
/// the time is 0 and copies differ only by inode.
package struct FileBirth: Equatable, Sendable {
  package let inode: UInt64
  /// Nanoseconds since 1970.
  package let instant: Int64

  package init(inode: UInt64, instant: Int64) {
    self.inode = inode
    self.instant = instant
  }

  /// Identifies the file at a path without following symbolic links; `nil` with `errno(3)` on failure.
  package init?(path: String) {
    var (inode, instant): (UInt64, Int64) = (0, 0)
    if signalbox_birth(path, &inode, &instant) == -1 { return nil }
    self.init(inode: inode, instant: instant)
  }
}
