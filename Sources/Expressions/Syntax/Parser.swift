/// The parser of an expression into its syntax tree: jq's grammar by recursive descent, operators by precedence.
///
/// All levels of the tree count against `maximumNesting`, also a chain such as `1 + 1 + 1`, so that a recursive
/// traversal needs a bounded stack.
struct Parser {
  static let maximumNesting = 256

  var lexer: Lexer
  var token: Token
  /// The end of the preceding token.
  var previousEnd = 0
  var nesting = 0

  init(_ source: String) throws(SyntaxFault) {
    lexer = Lexer(source)
    token = try lexer.next()
  }

  /// Parses a whole source.
  static func parse(_ source: String) throws(SyntaxFault) -> Syntax {
    var parser = try Parser(source)
    guard parser.token.kind != .end else {
      throw SyntaxFault(message: "missing expression; '.' passes each value on", range: 0..<0)
    }
    let query = try parser.query()
    guard parser.token.kind == .end else {
      throw parser.unexpected(ForeignSyntax.advice(forTrailing: parser.token.text))
    }
    return query
  }

  /// Parses a pipe: `comma | comma | …`, where `def`, `label` and `as` extend to the end.
  mutating func query() throws(SyntaxFault) -> Syntax {
    try nested { parser throws(SyntaxFault) in
      let start = parser.token.range.lowerBound
      let left = try parser.alternatives()
      guard try parser.takeSymbol("|") else { return left }
      let right = try parser.query()
      return parser.tree(.pipe(left, right), from: start)
    }
  }

  /// Parses `expression, expression, …`.
  private mutating func alternatives() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    var items = [try alternative()]
    while try takeSymbol(",") { items.append(try alternative()) }
    return items.count == 1 ? items[0] : tree(.comma(items), from: start)
  }

  /// Parses an expression, or a scope of `def`, `label` or `expression as $name |`.
  private mutating func alternative() throws(SyntaxFault) -> Syntax {
    if isKeyword("def") { return try definition() }
    if isKeyword("label") { return try label() }
    let start = token.range.lowerBound
    let source = try expression(minimum: 0)
    guard try takeKeyword("as") else { return source }
    let patterns = try patterns()
    try expect("|", after: "the pattern of 'as'")
    let body = try query()
    return tree(.bind(source, patterns, in: body), from: start)
  }

  /// Parses operands joined by operators of at least a precedence.
  mutating func expression(minimum: Int) throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    let outer = nesting
    defer { nesting = outer }
    var left = try operand()
    while let next = binaryOperator(), next.precedence >= minimum {
      try deepen()
      try advance()
      let right = try expression(minimum: next.associativity == .right ? next.precedence : next.precedence + 1)
      left = tree(.binary(next, left, right), from: start)
      if next.associativity == .none, let again = binaryOperator(), again.precedence == next.precedence {
        let message = "'\(next.rawValue)' and '\(again.rawValue)' cannot follow each other without parentheses"
        throw SyntaxFault(message: message, range: token.range)
      }
    }
    return left
  }

  private func binaryOperator() -> Operator? {
    switch token.kind {
    case .symbol, .keyword: Operator(rawValue: token.text)
    default: nil
    }
  }

  /// Parses a term with an optional `-`.
  mutating func operand() throws(SyntaxFault) -> Syntax {
    try nested { parser throws(SyntaxFault) in
      let start = parser.token.range.lowerBound
      guard try parser.takeSymbol("-") else { return try parser.postfixTerm() }
      return parser.tree(.negate(try parser.operand()), from: start)
    }
  }
}
