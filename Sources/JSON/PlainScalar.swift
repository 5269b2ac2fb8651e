/// The values of scalars, read without the parser from text without escapes or exponents.
enum PlainScalar {
  /// Returns the value; `nil` for arrays and objects, and for the few numbers that need the parser.
  @inline(__always)
  static func value(of text: UnsafeRawBufferPointer) -> JSONValue? {
    switch text[0] {
    case UInt8(ascii: "\""):
      return .string(String(decoding: UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)]), as: UTF8.self))
    case UInt8(ascii: "t"): return .bool(true)
    case UInt8(ascii: "f"): return .bool(false)
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "["), UInt8(ascii: "{"): return nil
    default: return number(text).map(JSONValue.number)
    }
  }

  /// Returns a number whose text is canonical; `nil` for any other, and for most of more than 15 digits.
  ///
  /// A number of at most 15 digits is the quotient of two integers that a double holds exactly, so that one division
  /// rounds it correctly (Clinger, How to read floating point numbers accurately, 1990).
  static func number(_ text: UnsafeRawBufferPointer) -> Double? {
    let isNegative = text[0] == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    guard text.count - first <= 16 else { return nil }
    var digits: Int64 = 0
    var place = first
    while place < text.count, text[place] != UInt8(ascii: ".") {
      digits = digits &* 10 &+ Int64(text[place] & 15)
      place += 1
    }
    if place == text.count {
      guard text.count - first <= 15, digits > 0 || !isNegative else { return nil }
      return Double(isNegative ? -digits : digits)
    }
    let point = place
    for place in (point + 1)..<text.count { digits = digits &* 10 &+ Int64(text[place] & 15) }
    let magnitude = Double(digits) / powersOfTen[text.count - 1 - point]
    let isCanonical = CanonicalText.isSurelyCanonical(fraction: text.assumingMemoryBound(to: UInt8.self), of: magnitude)
    return isCanonical ? isNegative ? -magnitude : magnitude : nil
  }

  /// True for a text whose value has no other: a string, or a natural number of at most 15 digits.
  ///
  /// Eight bytes are readable past it.
  static func hasOneText(_ text: UnsafeRawBufferPointer) -> Bool {
    let start = text.baseAddress.unsafelyUnwrapped
    if text[0] == UInt8(ascii: "\"") { return true }
    guard text.count <= 15 else { return false }
    let digits = digitCount(start)
    return digits == 8 ? text.count <= 8 || digitCount(start + 8) >= text.count - 8 : digits >= text.count
  }

  /// Returns the number of digits at an address before another byte, up to eight.
  private static func digitCount(_ start: UnsafeRawPointer) -> Int {
    let word = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
    return PlainValue.digitStops(word).trailingZeroBitCount / 8
  }

  private static let powersOfTen: [15 of Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
  ]
}
