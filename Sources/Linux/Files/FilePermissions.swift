import Glibc

/// The permissions of a file, symbolic links followed.
package struct FilePermissions: Sendable {
  /// The nine bits of permission.
  package let mode: UInt32
  package let userID: UInt32
  package let groupID: UInt32
  package let isFolder: Bool

  /// Those of the file at a path, or `nil` if there is none that can be seen (`stat(2)`).
  package init?(path: String) {
    var status = stat()
    if stat(path, &status) == -1 { return nil }
    mode = status.st_mode & 0o777
    userID = status.st_uid
    groupID = status.st_gid
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether somebody may write to it, root not considered, nor the folders above it.
  package func letsWrite(_ peer: PeerCredentials) -> Bool {
    let bit: UInt32 = peer.userID == userID ? 0o200 : peer.isMember(of: groupID) ? 0o020 : 0o002
    return mode & bit != 0
  }
}
