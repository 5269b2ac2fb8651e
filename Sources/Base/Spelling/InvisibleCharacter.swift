/// A character that is invisible or looks like a blank, but is not white space to a parser: common in text copied from
/// pages.
package struct InvisibleCharacter: Equatable, Sendable, CustomStringConvertible {
  package let scalar: Unicode.Scalar
  private let name: String

  /// Creates the description; `nil` for visible characters and those that parsers treat as blanks.
  package init?(_ scalar: Unicode.Scalar) {
    guard let name = Self.names[scalar.value] else { return nil }
    (self.scalar, self.name) = (scalar, name)
  }

  /// Returns the first one in a text, and its offset in Unicode scalars.
  package static func first(in text: String) -> (offset: Int, character: InvisibleCharacter)? {
    // Most texts are ASCII, which has none.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
    for (offset, scalar) in text.unicodeScalars.enumerated() {
      if let character = InvisibleCharacter(scalar) { return (offset, character) }
    }
    return nil
  }

  /// The character as in `a no-break space (U+00A0)`.
  package var description: String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "\(name) (U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits))"
  }

  private static let names: [UInt32: String] = [
    0xA0: "a no-break space", 0xAD: "a soft hyphen", 0x2000: "an en quad", 0x2001: "an em quad",
    0x2002: "an en space", 0x2003: "an em space", 0x2004: "a three-per-em space", 0x2005: "a four-per-em space",
    0x2006: "a six-per-em space", 0x2007: "a figure space", 0x2008: "a punctuation space", 0x2009: "a thin space",
    0x200A: "a hair space", 0x200B: "a zero width space", 0x200E: "a left-to-right mark",
    0x200F: "a right-to-left mark", 0x202A: "a left-to-right embedding", 0x202B: "a right-to-left embedding",
    0x202C: "an end of an embedding", 0x202F: "a narrow no-break space", 0x205F: "a mathematical space",
    0x2060: "a word joiner", 0x3000: "an ideographic space", 0xFEFF: "a byte order mark",
  ]
}
