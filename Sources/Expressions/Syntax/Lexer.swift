internal import Base

/// The lexer, which splits the source into tokens, one at a time.
struct Lexer {
  let bytes: [UInt8]
  /// The position of the next token.
  var position = 0

  init(_ source: String) { bytes = Array(source.utf8) }

  mutating func next() throws(SyntaxFault) -> Token {
    skipBlanks()
    guard position < bytes.count else { return Token(kind: .end, text: "", range: position..<position) }
    switch bytes[position] {
    case UInt8(ascii: "\""): return take(.quote, 1, nameFrom: 1)
    case UInt8(ascii: "."): return dot()
    case UInt8(ascii: "$"): return try variable()
    case UInt8(ascii: "@"): return try format()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    case let byte where byte.isNameStart: return word()
    default: return try symbol()
    }
  }

  private mutating func take(_ kind: Token.Kind, _ length: Int, nameFrom: Int = 0) -> Token {
    let start = position
    position += length
    return Token(kind: kind, text: text(start + nameFrom..<position), range: start..<position)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the name that ends before a byte, or an empty string.
  func word(endingAt end: Int) -> String {
    var start = end
    while start > 0, bytes[start - 1].isNamePart { start -= 1 }
    return text(start..<end)
  }

  func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func dot() -> Token {
    let following = byte(at: position + 1)
    if following.isNameStart { return take(.field, 1 + nameLength(at: position + 1), nameFrom: 1) }
    if following.isDigit { return number() }
    return take(.symbol, following == UInt8(ascii: ".") ? 2 : 1)
  }

  private mutating func variable() throws(SyntaxFault) -> Token {
    let length = qualifiedNameLength(at: position + 1)
    guard length > 0 else {
      throw SyntaxFault(message: "a name must follow '$'", range: position..<position + 1)
    }
    return take(.variable, 1 + length, nameFrom: 1)
  }

  private mutating func format() throws(SyntaxFault) -> Token {
    var end = position + 1
    while byte(at: end).isNamePart { end += 1 }
    guard end > position + 1 else {
      throw SyntaxFault(message: "the name of a format must follow '@'", range: position..<position + 1)
    }
    return take(.format, end - position, nameFrom: 1)
  }

  private mutating func word() -> Token {
    let length = qualifiedNameLength(at: position)
    let isKeyword = Token.keywords.contains(text(position..<position + length))
    return take(isKeyword ? .keyword : .identifier, length)
  }

  private func nameLength(at start: Int) -> Int {
    var end = start
    guard byte(at: end).isNameStart else { return 0 }
    while byte(at: end).isNamePart { end += 1 }
    return end - start
  }

  /// Returns the length of a name that may be qualified, as `module::name`.
  private func qualifiedNameLength(at start: Int) -> Int {
    var length = nameLength(at: start)
    while length > 0, byte(at: start + length) == UInt8(ascii: ":"), byte(at: start + length + 1) == UInt8(ascii: ":") {
      let part = nameLength(at: start + length + 2)
      if part == 0 { break }
      length += 2 + part
    }
    return length
  }
}

extension Lexer {
  /// Skips blanks and comments; a backslash before the end of a line continues its comment.
  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "#"): skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() {
    var isEscaped = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\n"), !isEscaped { return }
      if byte != UInt8(ascii: "\r") { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
      position += 1
    }
  }

  private mutating func number() -> Token {
    var end = position
    while byte(at: end).isDigit { end += 1 }
    if byte(at: end) == UInt8(ascii: ".") {
      end += 1
      while byte(at: end).isDigit { end += 1 }
    }
    if byte(at: end) | 0x20 == UInt8(ascii: "e") {
      let sign = byte(at: end + 1)
      let digits = end + (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? 2 : 1)
      if byte(at: digits).isDigit {
        end = digits
        while byte(at: end).isDigit { end += 1 }
      }
    }
    return take(.number, end - position)
  }

  private static let symbols: [[[UInt8]]] = [
    ["?//", "//="].map { Array($0.utf8) },
    ["!=", "==", "//", "|=", "+=", "-=", "*=", "/=", "%=", "<=", ">="].map { Array($0.utf8) },
    "?=;,:|+-*/%<>()[]{}".utf8.map { [$0] },
  ]

  private mutating func symbol() throws(SyntaxFault) -> Token {
    for candidates in Self.symbols {
      for candidate in candidates where bytes[position...].starts(with: candidate) {
        return take(.symbol, candidate.count)
      }
    }
    var end = position + 1
    while byte(at: end) & 0xC0 == 0x80 { end += 1 }
    let character = text(position..<end)
    let previous = position > 0 ? bytes[position - 1] : 0
    let isLetter = bytes[position] >= 0x80
    let advice =
      isLetter
      ? "a name of other letters than a to z is written '.\"…\"'"
      : ForeignSyntax.advice(forSymbol: character, after: previous)
    if let invisible = InvisibleCharacter.first(in: character)?.character {
      throw SyntaxFault(message: "unexpected \(invisible); write a plain space, or none", range: position..<end)
    }
    let message = "unexpected character '\(character)'" + (advice.map { "; " + $0 } ?? "")
    throw SyntaxFault(message: message, range: position..<end)
  }
}

extension UInt8 {
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  var isNameStart: Bool {
    let lowered = self | 0x20
    return lowered >= UInt8(ascii: "a") && lowered <= UInt8(ascii: "z") || self == UInt8(ascii: "_")
  }
  var isNamePart: Bool { isNameStart || isDigit }
}
