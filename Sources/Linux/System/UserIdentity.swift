import Glibc

extension CurrentProcess {
  /// Goes on with the rights of another user, for good; only root can (`setuid(2)`).
  ///
  /// Files that it makes belong to that user, and it can be led nowhere by links that the user has laid.
  package static func become(user: UInt32, group: UInt32) throws(Errno) {
    var groups: [gid_t] = [group]
    if setgroups(groups.count, &groups) == -1 { throw .last("setgroups") }
    if setgid(group) == -1 { throw .last("setgid") }
    if setuid(user) == -1 { throw .last("setuid") }
  }
}
