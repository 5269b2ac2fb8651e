internal import Base

/// Moving from token to token.
extension Parser {
  mutating func advance() throws(SyntaxFault) {
    previousEnd = token.range.upperBound
    token = try lexer.next()
  }

  func tree(_ kind: Syntax.Kind, from start: Int) -> Syntax { Syntax(kind, start..<max(start, previousEnd)) }

  func isSymbol(_ text: String) -> Bool { token.kind == .symbol && token.text == text }
  func isKeyword(_ text: String) -> Bool { token.kind == .keyword && token.text == text }

  mutating func takeSymbol(_ text: String) throws(SyntaxFault) -> Bool {
    guard isSymbol(text) else { return false }
    try advance()
    return true
  }

  mutating func takeKeyword(_ text: String) throws(SyntaxFault) -> Bool {
    guard isKeyword(text) else { return false }
    try advance()
    return true
  }

  /// Consumes a required symbol; `after` names the preceding part.
  mutating func expect(_ text: String, after: String) throws(SyntaxFault) {
    guard isSymbol(text) || isKeyword(text) else { throw unexpected("'\(text)' must follow \(after)") }
    try advance()
  }

  /// Returns the fault of an unexpected token; `message` names the expected ones.
  func unexpected(_ message: String? = nil) -> SyntaxFault {
    let found = token.kind == .end ? "the expression ends here" : "unexpected \(token.description)"
    let advised = advice()
    var fault = SyntaxFault(message: found + ((advised ?? message).map { "; " + $0 } ?? ""), range: token.range)
    if advised == nil, token.kind == .identifier, token.text.utf8.count > 1 {
      fault.suggestion = Suggestion.likely(for: token.text.lowercased(), among: Self.joiningWords)
    }
    return fault
  }

  /// The words that may follow a value.
  private static let joiningWords = ["and", "or", "as", "then", "elif", "else", "end", "catch"]

  /// Returns advice if the token and the preceding one are known from another language.
  private func advice() -> String? {
    if let advice = ForeignSyntax.advice(behind: lexer.word(endingAt: previousEnd)) { return advice }
    let start = token.range.lowerBound
    let before = lexer.text(max(0, previousEnd - 2)..<previousEnd)
    let isAttached = start == previousEnd
    switch token.kind {
    case .end: return nil
    case .symbol: return ForeignSyntax.advice(forSymbol: token.text, after: start > 0 ? lexer.byte(at: start - 1) : 0)
    case .number where isAttached: return nil
    case .identifier where isAttached && before.utf8.last?.isDigit == true:
      return "a number has no unit; times are in seconds"
    default: return ForeignSyntax.advice(forWord: token.text, after: before)
    }
  }

  /// Counts one more level of the tree.
  mutating func deepen() throws(SyntaxFault) {
    nesting += 1
    if nesting > Self.maximumNesting {
      throw SyntaxFault(message: "nested more than \(Self.maximumNesting) levels deep", range: token.range)
    }
  }

  /// Parses one level deeper.
  mutating func nested(_ parse: (inout Parser) throws(SyntaxFault) -> Syntax) throws(SyntaxFault) -> Syntax {
    try deepen()
    let result = try parse(&self)
    nesting -= 1
    return result
  }
}
