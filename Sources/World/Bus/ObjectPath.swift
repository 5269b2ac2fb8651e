/// The object paths of signals on a bus.
package enum ObjectPath {
  /// The root of all objects.
  package static let root = "/org/signalbox"

  /// Returns the path of a signal: an element for its graph and one for its own name.
  package static func path(of signal: String) -> String {
    root + "/" + signal.split(separator: ".").map { label(Array($0.utf8)) }.joined(separator: "/")
  }

  /// Escapes a name for a path element, where D-Bus allows only letters, digits and `_`.
  ///
  /// A hyphen becomes `_2d`, as in systemd. To keep names distinct, an underscore becomes `_5f`, but only where it
  /// would be read as the beginning of one of these two; others are unchanged.
  private static func label(_ name: [UInt8]) -> String {
    var label: [UInt8] = []
    for (place, byte) in name.enumerated() {
      switch byte {
      case UInt8(ascii: "-"): label += "_2d".utf8
      case UInt8(ascii: "_") where escapes.contains(Array(name[(place + 1)...].prefix(2))): label += "_5f".utf8
      default: label.append(byte)
      }
    }
    return String(decoding: label, as: UTF8.self)
  }

  private static let escapes = ["2d", "5f"].map { Array($0.utf8) }
}
