/// A unit of systemd, by its name.
struct SystemdUnit: Sendable {
  /// `nginx.service`.
  let name: String

  /// The ways in which a name ends, each the type of its unit.
  static let types = [
    "service", "socket", "timer", "target", "mount", "automount", "path", "swap", "slice", "scope", "device",
  ]
  /// The types of units that have no result.
  private static let withoutResult: Set = ["target", "slice", "device"]

  /// The name of its service on the bus.
  static let service = "org.freedesktop.systemd1"
  static let interface = "\(service).Unit"

  private var type: String { name.split(separator: ".").last.map(String.init) ?? "" }

  /// The interface that tells how it ended; `nil` for those that do not end.
  var resultInterface: String? {
    if Self.withoutResult.contains(type) { return nil }
    return "\(Self.service).\(type.prefix(1).uppercased())\(type.dropFirst())"
  }

  /// The path of its object, whether it is loaded or not: "Object Paths" in `org.freedesktop.systemd1(5)`.
  var path: String {
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
