internal import JSON

/// Base 64 (RFC 4648).
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    BitGroups.encode(bytes, alphabet: alphabet, bitsPerDigit: 6, digitsPerBlock: 4)
  }

  /// Decodes leniently, as jq does: padding may be missing, anything after it is ignored; bytes that are not UTF-8
  /// become U+FFFD.
  static func decode(_ text: String) throws(ExpressionError) -> String {
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
    guard let bytes = BitGroups.decode(Substring(digits), alphabet: alphabet, bitsPerDigit: 6) else {
      throw .badValue("\(JSONValue.string(text).described) is not valid base64 data")
    }
    // Six bits do not make a byte.
    if digits.count % 4 == 1 {
      throw .badValue("\(JSONValue.string(text).described) trailing base64 byte found")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Base 32 (RFC 4648).
enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    BitGroups.encode(bytes, alphabet: alphabet, bitsPerDigit: 5, digitsPerBlock: 8)
  }

  static func decode(_ text: String) throws(ExpressionError) -> String {
    guard let bytes = BitGroups.decode(text[...], alphabet: alphabet, bitsPerDigit: 5) else {
      throw .badValue("\(JSONValue.string(text).described) is not valid base32 data")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
