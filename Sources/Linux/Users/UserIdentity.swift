import Glibc

extension CurrentProcess {
  /// Switches to another user permanently; requires root (`setuid(2)`).
  ///
  /// New files then belong to that user, and links created by the user lead only where that user has access.
  package static func become(user: UInt32, group: UInt32) throws(Errno) {
    var groups: [gid_t] = [group]
    if setgroups(groups.count, &groups) == -1 { throw .last("setgroups") }
    if setgid(group) == -1 { throw .last("setgid") }
    if setuid(user) == -1 { throw .last("setuid") }
  }
}
