/// The Base 64 encoding of bytes (RFC 4648), with padding.
enum Base64 {
  /// Decodes a text; `nil` for one that is not encoded in full groups.
  static func bytes(of text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    let padding = digits.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
    guard digits.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    for (place, digit) in digits.dropLast(padding).enumerated() {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | value
      // Each digit but the first of a group completes a byte.
      let left = UInt32(6 - 2 * (place % 4))
      if place % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> left)) }
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
