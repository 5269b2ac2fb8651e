import Base

/// A cursor over the text of a JSON file that tracks its place.
struct JSONScanner {
  /// Offsets from 0.
  struct Position {
    fileprivate var byte = 0
    fileprivate var scalar = 0
  }

  private let source: SourceFile
  private let bytes: [UInt8]
  private(set) var position = Position()

  init(_ source: SourceFile) {
    self.source = source
    bytes = Array(source.text.utf8)
  }

  var next: UInt8? { position.byte < bytes.count ? bytes[position.byte] : nil }
  var isAtEnd: Bool { next == nil }
  var place: Place { place(of: position) }

  func place(of position: Position) -> Place { source.place(ofScalar: position.scalar) }

  /// The number of columns since a position in this line; 1 for a position in an earlier line.
  func length(from start: Position) -> Int {
    let isOnOneLine = place(of: start).line == place.line
    return isOnOneLine ? position.scalar - start.scalar : 1
  }

  /// Returns an error about the text at the cursor.
  func unexpected(_ message: String) -> SyntaxError {
    let scalar = String(decoding: bytes[position.byte...].prefix(4), as: UTF8.self).unicodeScalars.first
    if let character = scalar.flatMap(InvisibleCharacter.init) { return .invisible(character, at: place) }
    return SyntaxError(isAtEnd ? "\(message), but the file ends" : message, at: place)
  }

  /// Returns an error about text where a key is expected.
  func unexpectedKey() -> SyntaxError {
    switch next {
    case UInt8(ascii: "/"), UInt8(ascii: "#"): SyntaxError("JSON has no comments; YAML has them, with \"#\"", at: place)
    case UInt8(ascii: "}"): SyntaxError("trailing comma before \"}\"", at: place)
    default: unexpected("expected a key in double quotes")
    }
  }

  mutating func advance() {
    position.byte += 1
    // The remaining bytes of a scalar are continuations.
    while let next, next & 0xC0 == 0x80 { position.byte += 1 }
    position.scalar += 1
  }

  /// Consumes the bytes of a string up to its end, an escape or a control character.
  mutating func plainBytes() -> ArraySlice<UInt8> {
    let start = position.byte
    while let next, next >= 0x20, next != UInt8(ascii: "\""), next != UInt8(ascii: "\\") {
      position.byte += 1
      if next & 0xC0 != 0x80 { position.scalar += 1 }
    }
    return bytes[start..<position.byte]
  }

  mutating func skipSpace() {
    while let next, next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D { advance() }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == character.value else { return false }
    advance()
    return true
  }

  /// Reads a number, `true`, `false` or `null`.
  mutating func word() throws(SyntaxError) -> String {
    let start = position
    while let next, Self.isWordByte(next) { advance() }
    let word = bytes[start.byte..<position.byte]
    if let shape = NumberShape(Array(word)), shape.isJSON { return String(decoding: word, as: UTF8.self) }
    let text = String(decoding: word, as: UTF8.self)
    if ["true", "false", "null"].contains(text) { return text }
    position = start
    if text.isEmpty { throw unexpected("expected a value") }
    throw SyntaxError("JSON has no value \(text); text needs double quotes", at: place)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "-+._".utf8.contains(byte)
  }
}
