/// The paths of the objects that stand for signals on a bus.
enum ObjectPath {
  /// The object below which all others are.
  static let root = "/org/signalbox"

  /// The path of a signal: an element for its graph and one for its own name.
  static func path(of signal: String) -> String {
    root + "/" + signal.split(separator: ".").map { label(Array($0.utf8)) }.joined(separator: "/")
  }

  /// A name as an element of a path, of which D-Bus allows letters, digits and `_` alone.
  ///
  /// A hyphen is written `_2d`, as systemd does. So that no two names come out the same, an underscore is written `_5f`,
  /// but only where it would be read as the beginning of one of these two; others stay what they are.
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
