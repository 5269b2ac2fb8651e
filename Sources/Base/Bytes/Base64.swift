/// Base64 with padding (RFC 4648, section 4).
package enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text; `nil` for an invalid one.
  package static func bytes(of text: String) -> [UInt8]? {
    let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard text.utf8.count % 4 == 0, padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var (bits, count) = (0, 0)
    for digit in text.utf8.dropLast(padding) {
      let value = values[Int(digit)]
      guard value != none else { return nil }
      (bits, count) = (bits << 6 | Int(value), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 255))
        bits &= 1 << count - 1
      }
    }
    return bytes
  }

  /// No digit: larger than the value of any.
  private static let none: UInt8 = 64

  /// The values of all bytes as digits.
  private static let values = (0...255).map { byte in
    digits.firstIndex(of: UInt8(byte)).map { UInt8($0) } ?? none
  }
}
