import CSystemd
import Glibc

/// The identity of a Unix socket's peer, recorded by the kernel at connection time.
package struct PeerCredentials: Equatable, Sendable {
  package let processID: Int32
  package let userID: UInt32
  package let groupID: UInt32
  /// The supplementary groups, unordered.
  package let groups: [UInt32]

  package init(processID: Int32, userID: UInt32, groupID: UInt32, groups: [UInt32]) {
    self.processID = processID
    self.userID = userID
    self.groupID = groupID
    self.groups = groups
  }

  /// Queries the kernel (`SO_PEERCRED` and `SO_PEERGROUPS`).
  package init(of socket: Int32) throws(Errno) {
    var credentials = signalbox_ucred()
    var length = socklen_t(MemoryLayout<signalbox_ucred>.size)
    if getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == -1 {
      throw .last("getsockopt SO_PEERCRED")
    }
    processID = credentials.pid
    userID = credentials.uid
    groupID = credentials.gid
    groups = try Self.groups(of: socket)
  }

  private static func groups(of socket: Int32) throws(Errno) -> [UInt32] {
    var groups = [gid_t](repeating: 0, count: 32)
    while true {
      var length = socklen_t(groups.count * MemoryLayout<gid_t>.stride)
      let result = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, &groups, &length)
      let count = Int(length) / MemoryLayout<gid_t>.stride
      if result == 0 { return Array(groups.prefix(count)) }
      // On ERANGE, the kernel reports the required size.
      guard errno == ERANGE, count > groups.count else { throw .last("getsockopt SO_PEERGROUPS") }
      groups = [gid_t](repeating: 0, count: count)
    }
  }

  /// Checks the primary and supplementary groups.
  package func isMember(of group: UInt32) -> Bool {
    groupID == group || groups.contains(group)
  }
}
