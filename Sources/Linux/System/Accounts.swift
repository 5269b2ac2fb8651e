import Glibc

/// Users and groups by name, as the system knows them (files, LDAP or whatever `nsswitch.conf` says).
package enum Accounts {
  /// The id of a user, or `nil` if there is none of that name (`getpwnam_r(3)`).
  package static func userID(named name: String) -> UInt32? {
    lookUp(passwd(), { getpwnam_r(name, $0, $1, $2, $3) }, { $0.pw_uid })
  }

  /// The id of a group, or `nil` if there is none of that name (`getgrnam_r(3)`).
  package static func groupID(named name: String) -> UInt32? {
    lookUp(group(), { getgrnam_r(name, $0, $1, $2, $3) }, { $0.gr_gid })
  }

  /// The name of a group, or its number where it has none (`getgrgid_r(3)`).
  package static func groupName(of id: UInt32) -> String {
    lookUp(group(), { getgrgid_r(id, $0, $1, $2, $3) }, { String(cString: $0.gr_name) }) ?? "\(id)"
  }

  /// The name of a user, or `nil` if there is none of that id (`getpwuid_r(3)`).
  package static func userName(of id: UInt32) -> String? {
    lookUp(passwd(), { getpwuid_r(id, $0, $1, $2, $3) }, { String(cString: $0.pw_name) })
  }

  /// The groups that a user is in, its own included; `nil` if there is no user of that name (`getgrouplist(3)`).
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

  /// Calls a `…_r` function with a growing buffer; its strings live in there, so only copies may leave.
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
