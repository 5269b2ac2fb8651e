internal import JSON

/// Percent-encoding (RFC 3986) for `@uri` and `@urid`.
enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Encodes everything but the unreserved characters.
  static func encode(_ text: String) -> String {
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

  static func decode(_ text: String) throws(ExpressionError) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = value(of: rest.popFirst()), let low = value(of: rest.popFirst()) else { throw invalid(text) }
      bytes.append(high << 4 | low)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw invalid(text) }
    return decoded
  }

  private static func value(of digit: UInt8?) -> UInt8? {
    guard let digit else { return nil }
    let isLowercase = (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
    return digits.firstIndex(of: isLowercase ? digit ^ 0x20 : digit).map(UInt8.init)
  }

  private static func invalid(_ text: String) -> ExpressionError {
    .badValue("\(JSONValue.string(text).described) is not a valid uri encoding")
  }
}
