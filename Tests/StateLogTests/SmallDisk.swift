import Glibc
import Linux
import Testing

/// A file system of a few mebibytes in memory, unmounted on deinitialisation.
final class SmallDisk {
  let path: String

  /// True if this process may mount.
  static let isPossible: Bool = {
    let path = "/tmp/signalbox-mount.\(getpid())"
    guard mkdir(path, 0o700) == 0 else { return false }
    defer { rmdir(path) }
    guard mount("tmpfs", path, "tmpfs", 0, "size=64k") == 0 else { return false }
    return umount2(path, 0) == 0
  }()

  init(at path: String, bytes: Int) throws {
    self.path = path
    try #require(mkdir(path, 0o700) == 0)
    try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(bytes),mode=700") == 0)
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
  }
}
