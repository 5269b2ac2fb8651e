/// Conversion of bytes to digits of a few bits each, and back.
enum BitGroups {
  static func encode(_ bytes: [UInt8], alphabet: [UInt8], bitsPerDigit: Int, digitsPerBlock: Int) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count * 8 / bitsPerDigit + digitsPerBlock)
    var pending = 0
    var count = 0
    for byte in bytes {
      pending = pending << 8 | Int(byte)
      count += 8
      while count >= bitsPerDigit {
        count -= bitsPerDigit
        digits.append(alphabet[pending >> count & (1 << bitsPerDigit - 1)])
      }
      pending &= 1 << count - 1
    }
    if count > 0 { digits.append(alphabet[pending << (bitsPerDigit - count) & (1 << bitsPerDigit - 1)]) }
    while digits.count % digitsPerBlock != 0 { digits.append(UInt8(ascii: "=")) }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Returns the bytes, or `nil` for a character that is not a digit; left-over bits are dropped.
  static func decode(_ text: Substring, alphabet: [UInt8], bitsPerDigit: Int) -> [UInt8]? {
    var digits = [Int?](repeating: nil, count: 256)
    for (digit, character) in alphabet.enumerated() { digits[Int(character)] = digit }
    var bytes: [UInt8] = []
    var pending = 0
    var count = 0
    for character in text.utf8 where character != UInt8(ascii: "=") {
      guard let digit = digits[Int(character)] else { return nil }
      pending = (pending << bitsPerDigit | digit) & 0xFFFF
      count += bitsPerDigit
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(pending >> count & 0xFF))
        pending &= 1 << count - 1
      }
    }
    return bytes
  }
}
