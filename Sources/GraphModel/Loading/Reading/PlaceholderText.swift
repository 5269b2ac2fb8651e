/// A text parsed into literals and `${…}` references.
struct PlaceholderText {
  enum Piece: Equatable {
    case text(String)
    /// The text between `${` and `}`.
    case reference(String)
  }

  let pieces: [Piece]

  /// True when the text contains no references.
  var isLiteral: Bool {
    pieces.allSatisfy { if case .text = $0 { true } else { false } }
  }

  /// `$${` escapes `${`; a reference ends at the first `}`.
  init(_ text: String) throws(ReplacementError) {
    var pieces: [Piece] = []
    var literal = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      literal += rest[..<dollar]
      rest = rest[dollar...]
      if rest.hasPrefix("$${") {
        literal += "${"
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("${") {
        guard let end = rest.firstIndex(of: "}") else { throw .unclosed }
        let reference = String(rest[..<end].dropFirst(2))
        guard !reference.contains("${") else { throw .unreadable(reference) }
        pieces += [.text(literal), .reference(reference)]
        literal = ""
        rest = rest[end...].dropFirst()
      } else {
        literal += "$"
        rest = rest.dropFirst()
      }
    }
    self.pieces = pieces + [.text(literal + rest)]
  }
}
