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

  /// Calls a `…_r` function with a growing buffer; its strings live in there, so only numbers may leave.
  private static func lookUp<Entry>(
    _ empty: Entry,
    _ call: (
      UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
    ) -> Int32,
    _ number: (Entry) -> UInt32
  ) -> UInt32? {
    var size = 1024
    while size <= 1 << 20 {
      var entry = empty
      var found: UnsafeMutablePointer<Entry>?
      var strings = [CChar](repeating: 0, count: size)
      let status = call(&entry, &strings, size, &found)
      if status != ERANGE { return status == 0 && found != nil ? number(entry) : nil }
      size *= 4
    }
    return nil
  }
}
