/// A unit of systemd.
package struct SystemdUnit: Sendable {
  /// The name, such as `nginx.service`.
  package let name: String

  /// The suffixes of unit names, each a unit type.
  static let types = [
    "service", "socket", "timer", "target", "mount", "automount", "path", "swap", "slice", "scope", "device",
  ]
  /// The unit types without a result.
  private static let withoutResult: Set = ["target", "slice", "device"]

  /// The name of systemd's service on the bus.
  package static let service = "org.freedesktop.systemd1"
  package static let interface = "\(service).Unit"

  private var type: String { name.split(separator: ".").last.map(String.init) ?? "" }

  /// The interface with the unit's result; `nil` for types without one.
  package var resultInterface: String? {
    if Self.withoutResult.contains(type) { return nil }
    return "\(Self.service).\(type.prefix(1).uppercased())\(type.dropFirst())"
  }

  /// The path of its object, also for a unit that is not loaded: "Object Paths" in `org.freedesktop.systemd1(5)`.
  package var path: String {
    let escaped = name.utf8.enumerated().map { index, byte -> String in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        return String(Unicode.Scalar(byte))
      case UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0: return String(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16)
        return "_" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return "/org/freedesktop/systemd1/unit/" + escaped.joined()
  }
}
