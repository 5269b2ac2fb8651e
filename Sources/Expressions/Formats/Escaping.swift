/// Replacing bytes that mean something in the text around.
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

  /// Percent-encodes everything but RFC 3986's unreserved characters.
  static func uri(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte.isNamePart || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~") {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
