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

  /// Takes a symbol that has to be there; `after` says behind what.
  mutating func expect(_ text: String, after: String) throws(SyntaxFault) {
    guard isSymbol(text) || isKeyword(text) else { throw unexpected("'\(text)' must follow \(after)") }
    try advance()
  }

  /// The fault that the token is not what may stand here; `message` says what may.
  func unexpected(_ message: String? = nil) -> SyntaxFault {
    let found = token.kind == .end ? "the expression ends here" : "unexpected \(token.description)"
    let advice = advice() ?? message
    var fault = SyntaxFault(message: advice.map { "\(found); \($0)" } ?? found, range: token.range)
    if token.kind == .identifier { fault.suggestion = Suggestion.nearest(to: token.text, among: Self.joiningWords) }
    return fault
  }

  /// The words that may follow a value.
  private static let joiningWords = ["and", "or", "as", "then", "elif", "else", "end", "catch"]

  private func advice() -> String? {
    let before = previousEnd
    if previousEnd > 0, let advice = Slip.advice(behind: lexer.word(endingAt: before)) { return advice }
    let previous = token.range.lowerBound > 0 ? lexer.bytes[token.range.lowerBound - 1] : 0
    let last = before > 0 ? lexer.bytes[before - 1] : 0
    switch token.kind {
    case .symbol: return Slip.advice(forSymbol: lexer.byte(at: token.range.lowerBound), after: previous)
    case .number where token.range.lowerBound == before: return nil
    case .identifier where last.isDigit && token.range.lowerBound == before:
      return "a number has no unit; times are in seconds"
    case .end: return nil
    default: return Slip.advice(forWord: token.text, after: last)
    }
  }

  /// Counts one more level of the tree.
  mutating func deepen() throws(SyntaxFault) {
    nesting += 1
    if nesting > Self.maximumNesting {
      throw SyntaxFault(message: "nested more than \(Self.maximumNesting) levels deep", range: token.range)
    }
  }

  /// Parses something one level deeper.
  mutating func nested(_ parse: (inout Parser) throws(SyntaxFault) -> Syntax) throws(SyntaxFault) -> Syntax {
    try deepen()
    let result = try parse(&self)
    nesting -= 1
    return result
  }

  /// Parses with the binding of variables by `as` allowed or not.
  mutating func withBinding(
    allowed: Bool, _ parse: (inout Parser) throws(SyntaxFault) -> Syntax
  ) throws(SyntaxFault) -> Syntax {
    let outer = allowsBinding
    allowsBinding = allowed
    let result = try parse(&self)
    allowsBinding = outer
    return result
  }
}
