extension JSONWriter {
  package mutating func write(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { write(escaping: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Copies the runs between bytes that need an escape.
  private mutating func write(escaping text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for index in text.indices where Self.needsEscape(text[index]) {
      bytes.append(contentsOf: text[start..<index])
      write(escapeOf: text[index])
      start = index + 1
    }
    bytes.append(contentsOf: text[start...])
  }

  static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func write(escapeOf byte: UInt8) {
    if let letter = Self.shortEscape(of: byte) {
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(letter)
    } else {
      write(literal: "\\u00")
      let digits: StaticString = "0123456789abcdef"
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 15)])
    }
  }

  /// Returns the letter after the backslash, for the characters with a short escape.
  static func shortEscape(of byte: UInt8) -> UInt8? {
    switch byte {
    case 8: UInt8(ascii: "b")
    case 9: UInt8(ascii: "t")
    case 10: UInt8(ascii: "n")
    case 12: UInt8(ascii: "f")
    case 13: UInt8(ascii: "r")
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
    default: nil
    }
  }
}
