internal import Base
internal import JSON

/// Terms that start with a word, a `$` or an `@`, and strings.
extension Parser {
  mutating func keywordTerm() throws(SyntaxFault) -> Syntax {
    switch token.text {
    case "if": return try conditional()
    case "try": return try attempt()
    case "reduce", "foreach": return try fold()
    case "break": return try breakOut()
    case "import", "include", "module": throw SyntaxFault(message: Omission.modules, range: token.range)
    case "def", "label": throw unexpected("within an operation '\(token.text)' stands in parentheses")
    default: throw unexpected("missing value")
    }
  }

  /// Parses a function with its arguments, or `true`, `false`, `null`.
  mutating func call() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    let name = token.text
    try advance()
    var arguments: [Syntax] = []
    if try takeSymbol("(") {
      repeat {
        arguments.append(try query())
      } while try takeSymbol(";")
      try expect(")", after: "the arguments of '\(name)'")
    }
    switch (name, arguments.isEmpty) {
    case ("true", true): return tree(.constant(.bool(true)), from: start)
    case ("false", true): return tree(.constant(.bool(false)), from: start)
    case ("null", true): return tree(.constant(.null), from: start)
    default: return tree(.call(name, arguments), from: start)
    }
  }

  mutating func variable() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    let name = token.text
    if let reason = Omission.variables[name] { throw SyntaxFault(message: reason, range: token.range) }
    try advance()
    return tree(.variable(name), from: start)
  }

  mutating func format() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    let name = token.text
    guard TextFormat(rawValue: name) != nil else { throw unknownFormat() }
    try advance()
    if token.kind == .quote { return try string(format: name, from: start) }
    return tree(.format(name), from: start)
  }

  private func unknownFormat() -> SyntaxFault {
    let names = TextFormat.allCases.map { "@" + $0.rawValue }
    let suggestion = Suggestion.likely(for: "@" + token.text, among: names)
    return SyntaxFault(message: "no format @\(token.text)", range: token.range, suggestion: suggestion)
  }

  /// Parses a string that may follow a format.
  mutating func string() throws(SyntaxFault) -> Syntax {
    if token.kind == .format { return try format() }
    return try string(format: nil, from: token.range.lowerBound)
  }

  private mutating func string(format: String?, from start: Int) throws(SyntaxFault) -> Syntax {
    let quote = token.range.lowerBound
    var parts: [StringPart] = []
    while true {
      var literal = StringLiteral()
      let end = try literal.read(&lexer, openedAt: quote)
      if !literal.bytes.isEmpty { parts.append(.text(String(decoding: literal.bytes, as: UTF8.self))) }
      if end == .quote { break }
      parts.append(.interpolation(try interpolation()))
    }
    let end = lexer.position
    try advance()
    // The token is the opening quote alone.
    previousEnd = end
    if case .text(let text)? = parts.first, parts.count == 1 { return tree(.constant(.string(text)), from: start) }
    if parts.isEmpty { return tree(.constant(.string("")), from: start) }
    return tree(.string(parts, format: format), from: start)
  }

  /// Parses the expression in `\(…)`; the lexer is then behind its parenthesis.
  private mutating func interpolation() throws(SyntaxFault) -> Syntax {
    token = try lexer.next()
    let inner = try query()
    guard isSymbol(")") else { throw unexpected("')' must end what '\\(' opened") }
    return inner
  }
}
