/// A token of the source.
struct Token {
  enum Kind: Equatable {
    case end
    case identifier
    case keyword
    /// `.name`, without space between.
    case field
    /// A name after `$`.
    case variable
    /// A name after `@`.
    case format
    case number
    /// The quote that opens a string; the parser continues from there.
    case quote
    case symbol
  }

  let kind: Kind
  /// Its text; of a field, variable or format only the name, of a string empty.
  let text: String
  let range: Range<Int>

  /// Its name in error messages.
  var description: String {
    switch kind {
    case .end: "the end"
    case .identifier, .keyword, .number, .symbol: "'\(text)'"
    case .field: "'.\(text)'"
    case .variable: "'$\(text)'"
    case .format: "'@\(text)'"
    case .quote: "a string"
    }
  }

  static let keywords: Set<String> = [
    "def", "if", "then", "elif", "else", "end", "as", "reduce", "foreach", "try", "catch", "label", "import",
    "include", "and", "or", "__loc__", "module", "break",
  ]
}
