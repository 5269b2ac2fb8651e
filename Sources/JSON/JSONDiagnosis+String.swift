extension JSONDiagnosis {
  /// Reads a string and records half characters in its escapes.
  mutating func readString() throws(JSONError) {
    index += 1
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return
      case UInt8(ascii: "\\"): try readEscape()
      case ..<0x20: throw JSONError(.syntax, offset: index, "a control character in a string must be escaped")
      case ..<0x80: index += 1
      default: try readCharacter()
      }
    }
    throw unexpected("a closing quote")
  }

  private mutating func readEscape() throws(JSONError) {
    let start = index
    index += 1
    switch current {
    case UInt8(ascii: "u"):
      index += 1
      let unit = try readCodeUnit()
      switch unit {
      case 0xD800...0xDBFF: try readLowSurrogate(from: start)
      case 0xDC00...0xDFFF: note(start, "a low surrogate without a high one before it")
      default: break
      }
    case .some(let byte) where Self.escapes.contains(byte): index += 1
    default: throw unexpected("an escape: one of \" \\ / b f n r t u")
    }
  }

  private static let escapes = Array("\"\\/bfnrt".utf8)

  /// Reads the second half of a pair; if it is missing, the character there is read by itself.
  private mutating func readLowSurrogate(from start: Int) throws(JSONError) {
    let end = index
    if skip(UInt8(ascii: "\\")) && skip(UInt8(ascii: "u")), case 0xDC00...0xDFFF = try readCodeUnit() { return }
    index = end
    note(start, "a high surrogate without a low one after it")
  }

  private mutating func readCodeUnit() throws(JSONError) -> Int {
    var unit = 0
    for _ in 0..<4 {
      guard let current, let digit = Character(UnicodeScalar(current)).hexDigitValue, current < 0x80 else {
        throw unexpected("a hexadecimal digit")
      }
      unit = unit << 4 | digit
      index += 1
    }
    return unit
  }

  /// Reads a character of several bytes (RFC 3629).
  private mutating func readCharacter() throws(JSONError) {
    let rest = UnsafeBufferPointer(rebasing: text[index..<min(index + 4, text.count)])
    var decoder = UTF8()
    var bytes = rest.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&bytes) else {
      throw JSONError(.syntax, offset: index, "wrong UTF-8")
    }
    index += UTF8.width(scalar)
  }
}
