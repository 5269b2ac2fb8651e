/// The escaping of special bytes in a surrounding format.
enum Escaping {
  static func replace(_ text: String, _ replacement: (UInt8) -> StaticString?) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if let replacement = replacement(byte) {
        replacement.withUTF8Buffer { bytes.append(contentsOf: $0) }
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func html(_ text: String) -> String {
    replace(text) { byte in
      switch byte {
      case UInt8(ascii: "<"): "&lt;"
      case UInt8(ascii: ">"): "&gt;"
      case UInt8(ascii: "&"): "&amp;"
      case UInt8(ascii: "'"): "&apos;"
      case UInt8(ascii: "\""): "&quot;"
      default: nil
      }
    }
  }
}
