/// The address of a message bus, limited to local Unix sockets.
///
/// D-Bus defines other kinds of addresses, which could resolve names, start programs or enter containers, and block the
/// caller meanwhile.
package struct BusAddress: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Parses an address such as `unix:path=/run/dbus/system_bus_socket`, or several separated by `;`.
  package init?(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0.hasPrefix("unix:") }), !text.utf8.contains(0) else { return nil }
    description = text
  }

  /// The system bus.
  package static var system: BusAddress? {
    BusAddress(CurrentProcess.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket")
  }

  /// The session bus of the user, if there is one.
  package static var session: BusAddress? {
    if let address = CurrentProcess.environment("DBUS_SESSION_BUS_ADDRESS") { return BusAddress(address) }
    return CurrentProcess.environment("XDG_RUNTIME_DIR").flatMap { BusAddress("unix:path=\(escaped($0))/bus") }
  }

  /// Escapes a path for an address.
  package static func escaped(_ path: String) -> String {
    path.utf8.map { byte in
      let isPlain =
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_/.\\*".utf8.contains(byte)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
