import Glibc

/// The permissions of a file, symbolic links followed.
package struct FilePermissions: Sendable {
  /// The nine permission bits.
  package let mode: UInt32
  package let userID: UInt32
  package let groupID: UInt32
  package let isFolder: Bool

  /// Reads the permissions at a path; `nil` if no file is accessible (`stat(2)`).
  package init?(path: String) {
    var status = stat()
    if stat(path, &status) == -1 { return nil }
    mode = status.st_mode & 0o777
    userID = status.st_uid
    groupID = status.st_gid
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }

  /// Checks a peer's permission to write, disregarding root and the folders above.
  package func letsWrite(_ peer: PeerCredentials) -> Bool {
    let bit: UInt32 = peer.userID == userID ? 0o200 : peer.isMember(of: groupID) ? 0o020 : 0o002
    return mode & bit != 0
  }
}
