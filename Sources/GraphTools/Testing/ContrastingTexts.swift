/// Two different texts in a message, written so that their difference can be seen.
///
/// Texts that look alike have escapes in place of what is not ASCII: `"\u{e9}"` and `"e\u{301}"` print as the same
/// letter. Long texts are reduced to the part around the first difference.
struct ContrastingTexts {
  /// The most Unicode scalars of a text that are shown.
  static let mostScalars = 200
  private static let scalarsBefore = 40

  let one: String
  let other: String

  init(_ one: String, _ other: String) {
    var (one, other) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
    if one != other, Self.visible(one) == Self.visible(other) {
      (one, other) = (Self.escaped(one), Self.escaped(other))
    }
    let same = zip(one, other).prefix { $0 == $1 }.count
    let start = same < Self.mostScalars ? 0 : same - Self.scalarsBefore
    self.one = Self.part(of: one, from: start)
    self.other = Self.part(of: other, from: start)
  }

  /// Returns what a reader sees of a text: spaces of all kinds are one, and characters without a glyph none.
  ///
  /// Texts are equal if they are canonically equivalent.
  private static func visible(_ text: [Unicode.Scalar]) -> String {
    var visible = String.UnicodeScalarView()
    for scalar in text where !scalar.properties.isDefaultIgnorableCodePoint {
      visible.append(scalar.properties.isWhitespace ? " " : scalar)
    }
    return String(visible)
  }

  /// Returns a text with escapes as in JSON.
  private static func escaped(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    text.flatMap { scalar -> [Unicode.Scalar] in
      scalar.isASCII ? [scalar] : scalar.utf16.flatMap { Array("\\u\(hexadecimal($0))".unicodeScalars) }
    }
  }

  private static func hexadecimal(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func part(of text: [Unicode.Scalar], from start: Int) -> String {
    var part = String.UnicodeScalarView()
    part.append(contentsOf: text.dropFirst(start).prefix(mostScalars))
    return (start > 0 ? "…" : "") + String(part) + (text.count - start > mostScalars ? "…" : "")
  }
}
