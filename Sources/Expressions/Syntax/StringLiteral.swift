/// The reader of a string literal's text up to its closing quote or the next `\(`.
struct StringLiteral {
  enum End { case quote, interpolation }

  /// The text as UTF-8, with escapes resolved.
  private(set) var bytes: [UInt8] = []

  /// Continues; the lexer is then behind the closing quote or behind `\(`.
  mutating func read(_ lexer: inout Lexer, openedAt quote: Int) throws(SyntaxFault) -> End {
    while lexer.position < lexer.bytes.count {
      let byte = lexer.bytes[lexer.position]
      switch byte {
      case UInt8(ascii: "\""):
        lexer.position += 1
        return .quote
      case UInt8(ascii: "\\"):
        if lexer.byte(at: lexer.position + 1) == UInt8(ascii: "(") {
          lexer.position += 2
          return .interpolation
        }
        try readEscape(&lexer)
      default:
        bytes.append(byte)
        lexer.position += 1
      }
    }
    throw SyntaxFault(message: "unterminated string", range: quote..<quote + 1)
  }

  private mutating func readEscape(_ lexer: inout Lexer) throws(SyntaxFault) {
    let start = lexer.position
    let escape = lexer.byte(at: start + 1)
    lexer.position += 2
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(escape)
    case UInt8(ascii: "b"): bytes.append(8)
    case UInt8(ascii: "f"): bytes.append(12)
    case UInt8(ascii: "n"): bytes.append(10)
    case UInt8(ascii: "r"): bytes.append(13)
    case UInt8(ascii: "t"): bytes.append(9)
    case UInt8(ascii: "u"): try readUnicodeEscape(&lexer, from: start)
    default:
      let end = min(start + 2, lexer.bytes.count)
      throw SyntaxFault(message: "unknown escape in a string; a backslash itself is written '\\\\'", range: start..<end)
    }
  }

  /// Reads four hexadecimal digits, and the second half of a surrogate pair; an unpaired half becomes U+FFFD, as in jq.
  private mutating func readUnicodeEscape(_ lexer: inout Lexer, from start: Int) throws(SyntaxFault) {
    var code = try Self.hexadecimal(&lexer, from: start)
    if (0xD800..<0xDC00).contains(code), lexer.byte(at: lexer.position) == UInt8(ascii: "\\"),
      lexer.byte(at: lexer.position + 1) == UInt8(ascii: "u")
    {
      let second = lexer.position
      lexer.position += 2
      let low = try Self.hexadecimal(&lexer, from: second)
      if (0xDC00..<0xE000).contains(low) {
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      } else {
        lexer.position = second
      }
    }
    bytes.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
  }

  private static func hexadecimal(_ lexer: inout Lexer, from start: Int) throws(SyntaxFault) -> UInt32 {
    let end = min(lexer.position + 4, lexer.bytes.count)
    let digits = lexer.text(lexer.position..<end)
    guard digits.utf8.count == 4, !digits.hasPrefix("+"), let code = UInt32(digits, radix: 16) else {
      throw SyntaxFault(message: "four hexadecimal digits must follow '\\u'", range: start..<end)
    }
    lexer.position += 4
    return code
  }
}
