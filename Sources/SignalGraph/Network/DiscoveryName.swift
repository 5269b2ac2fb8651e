/// The names of nodes and objects in topics of discovery.
enum DiscoveryName {
  /// Returns true for letters, digits, `_` and `-`.
  static func isValid(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isPlain) }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
