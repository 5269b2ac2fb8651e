extension JSONScanner {
  /// Reads a string in double quotes and resolves its escapes.
  mutating func string() throws(SyntaxError) -> String {
    let start = place
    var content: [UInt8] = []
    advance()
    while let byte = next, byte != UInt8(ascii: "\"") {
      if byte < 0x20 { throw unexpected("a control character, such as a line break, must be escaped in a string") }
      if byte == UInt8(ascii: "\\") {
        content += try escape().utf8
      } else {
        content += plainBytes()
      }
    }
    guard take("\"") else { throw SyntaxError("unterminated string", at: start) }
    return String(decoding: content, as: UTF8.self)
  }

  private static let escapes: [UInt8: String] = [
    UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
    UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
  ]

  private mutating func escape() throws(SyntaxError) -> String {
    let start = place
    advance()
    guard let letter = next else { throw unexpected("expected an escape") }
    if letter == UInt8(ascii: "u") { return try unicodeEscape(from: start) }
    guard let text = Self.escapes[letter] else { throw SyntaxError("invalid escape in JSON", at: start) }
    advance()
    return text
  }

  /// Reads one code unit, or a surrogate pair.
  private mutating func unicodeEscape(from start: Place) throws(SyntaxError) -> String {
    guard let first = codeUnit() else { throw SyntaxError("\\u needs four hexadecimal digits", at: start) }
    if let scalar = Unicode.Scalar(first) { return String(scalar) }
    guard UTF16.isLeadSurrogate(first), take("\\"), next == UInt8(ascii: "u"), let second = codeUnit(),
      UTF16.isTrailSurrogate(second)
    else {
      throw SyntaxError("unpaired surrogate", at: start)
    }
    return String(decoding: [first, second], as: UTF16.self)
  }

  /// Reads the four digits after a `u`.
  private mutating func codeUnit() -> UInt16? {
    advance()
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else { return nil }
      unit = unit << 4 | UInt16(digit)
      advance()
    }
    return unit
  }
}
