import Glibc

/// Lookup of users and groups in the system's databases (files, LDAP or others in `nsswitch.conf`).
package enum Accounts {
  /// Returns the ID of a user; `nil` for an unknown name (`getpwnam_r(3)`).
  package static func userID(named name: String) -> UInt32? {
    lookUp(passwd(), { getpwnam_r(name, $0, $1, $2, $3) }, { $0.pw_uid })
  }

  /// Returns the ID of a group; `nil` for an unknown name (`getgrnam_r(3)`).
  package static func groupID(named name: String) -> UInt32? {
    lookUp(group(), { getgrnam_r(name, $0, $1, $2, $3) }, { $0.gr_gid })
  }

  /// Returns the name of a group, or its number if it has none (`getgrgid_r(3)`).
  package static func groupName(of id: UInt32) -> String {
    lookUp(group(), { getgrgid_r(id, $0, $1, $2, $3) }, { String(cString: $0.gr_name) }) ?? "\(id)"
  }

  /// Returns the name of a user; `nil` for an unknown ID (`getpwuid_r(3)`).
  package static func userName(of id: UInt32) -> String? {
    lookUp(passwd(), { getpwuid_r(id, $0, $1, $2, $3) }, { String(cString: $0.pw_name) })
  }

  /// Returns the groups of a user, including the primary one; `nil` for an unknown name (`getgrouplist(3)`).
  package static func groupIDs(ofUser name: String) -> [UInt32]? {
    guard let own = lookUp(passwd(), { getpwnam_r(name, $0, $1, $2, $3) }, { $0.pw_gid }) else { return nil }
    var count: Int32 = 64
    while true {
      var groups = [gid_t](repeating: 0, count: Int(count))
      let room = count
      if getgrouplist(name, own, &groups, &count) >= 0 { return Array(groups.prefix(Int(count))) }
      guard count > room else { return [own] }
    }
  }

  /// Calls a `…_r` function with a growing buffer, which holds the entry's strings, so only copies may escape.
  private static func lookUp<Entry, Result>(
    _ empty: Entry,
    _ call: (
      UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
    ) -> Int32,
    _ part: (Entry) -> Result
  ) -> Result? {
    var size = 1024
    while size <= 1 << 20 {
      var entry = empty
      var found: UnsafeMutablePointer<Entry>?
      let strings = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer { strings.deallocate() }
      let status = call(&entry, strings, size, &found)
      if status != ERANGE { return status == 0 && found != nil ? part(entry) : nil }
      size *= 4
    }
    return nil
  }
}
