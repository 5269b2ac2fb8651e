/// A text of a template, parsed into literals and parameters.
struct ParameterText {
  enum Piece {
    case text(String)
    /// The name between `${` and `}` if it has the form of a parameter's.
    case parameter(String)
    /// An environment variable with the form of a parameter's name, followed by `:-` or `:?`.
    case variable(String, name: String)
  }

  /// The name if the text is exactly `$name`.
  let variable: String?
  let pieces: [Piece]
  /// The words after a `$`, in the notation of an expression's variables.
  let mentioned: Set<String>

  /// Returns `nil` for a text without parameters.
  init?(_ text: String) {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return nil }
    var pieces: [Piece] = []
    var mentioned: Set<String> = []
    var literal = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      literal += rest[..<dollar]
      rest = rest[dollar...]
      if rest.hasPrefix("$${") {
        literal += rest.prefix(3)
        rest = rest.dropFirst(3)
      } else if let (piece, after) = Self.reference(rest) {
        pieces += [.text(literal), piece]
        literal = ""
        rest = after
      } else {
        let word = rest.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        if TemplateParameter.isName(word) { mentioned.insert(String(word)) }
        literal += rest.prefix(1 + word.count)
        rest = rest.dropFirst(1 + word.count)
      }
    }
    self.pieces = pieces + [.text(literal + rest)]
    self.mentioned = mentioned
    let word = text.dropFirst()
    variable = text.first == "$" && TemplateParameter.isName(word) ? String(word) : nil
  }

  /// Returns the reference at the start of a text and the rest after it.
  private static func reference(_ text: Substring) -> (Piece, after: Substring)? {
    guard text.hasPrefix("${"), let end = text.firstIndex(of: "}") else { return nil }
    let inside = text[..<end].dropFirst(2)
    let name = inside.prefix { $0 != ":" }
    guard TemplateParameter.isName(name) else { return nil }
    let piece: Piece =
      name.endIndex == inside.endIndex
      ? .parameter(String(name)) : .variable(String(text[...end]), name: String(name))
    return (piece, text[end...].dropFirst())
  }

  /// The name if the text is exactly `${name}`.
  var soleParameter: String? {
    guard pieces.count == 3, case .text("") = pieces[0], case .parameter(let name) = pieces[1],
      case .text("") = pieces[2]
    else { return nil }
    return name
  }

  /// The names between `${` and `}`.
  var references: [String] {
    pieces.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }
}
