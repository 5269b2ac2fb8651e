internal import JSON

/// Terms, the operands of operators.
extension Parser {
  /// Parses a term and its paths and `?`.
  mutating func postfixTerm() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    let outer = nesting
    defer { nesting = outer }
    var result = try term()
    while let next = try suffix(of: result, from: start) {
      try deepen()
      result = next
    }
    return result
  }

  /// Returns the term with one more suffix, or `nil` without one.
  private mutating func suffix(of target: Syntax, from start: Int) throws(SyntaxFault) -> Syntax? {
    switch (token.kind, token.text) {
    case (.field, _): return try field(of: target, from: start)
    case (.symbol, "."):
      try advance()
      if token.kind == .quote || token.kind == .format { return try quotedField(of: target, from: start) }
      guard isSymbol("[") else { throw unexpected("a name, a string or '[' must follow '.'") }
      return try bracket(of: target, from: start)
    case (.symbol, "["): return try bracket(of: target, from: start)
    case (.symbol, "?"):
      try advance()
      return tree(.attempt(target, handler: nil), from: start)
    case (.symbol, "?//"):
      splitQuestionMark()
      return tree(.attempt(target, handler: nil), from: start)
    default: return nil
    }
  }

  /// Splits `?//` into `?` and `//` where no pattern can follow.
  private mutating func splitQuestionMark() {
    let middle = token.range.lowerBound + 1
    previousEnd = middle
    token = Token(kind: .symbol, text: "//", range: middle..<token.range.upperBound)
  }

  mutating func field(of target: Syntax, from start: Int) throws(SyntaxFault) -> Syntax {
    let key = Syntax(.constant(.string(token.text)), token.range)
    try advance()
    let isOptional = try takeOptional()
    return tree(.index(target, key: key, isOptional: isOptional), from: start)
  }

  mutating func quotedField(of target: Syntax, from start: Int) throws(SyntaxFault) -> Syntax {
    let key = try string()
    let isOptional = try takeOptional()
    return tree(.index(target, key: key, isOptional: isOptional), from: start)
  }

  private mutating func takeOptional() throws(SyntaxFault) -> Bool {
    if isSymbol("?//") {
      splitQuestionMark()
      return true
    }
    return try takeSymbol("?")
  }

  /// Parses one of `[]`, `[key]`, `[from:]`, `[:end]`, `[from:end]`.
  mutating func bracket(of target: Syntax, from start: Int) throws(SyntaxFault) -> Syntax {
    try advance()
    if try takeSymbol("]") {
      let isOptional = try takeOptional()
      return tree(.iterate(target, isOptional: isOptional), from: start)
    }
    let first =
      isSymbol(":") ? nil : try query()
    if let key = first, try takeSymbol("]") {
      let isOptional = try takeOptional()
      return tree(.index(target, key: key, isOptional: isOptional), from: start)
    }
    guard try takeSymbol(":") else { throw unexpected("']' or ':' must follow an index") }
    let end = isSymbol("]") ? nil : try query()
    if first == nil, end == nil { throw unexpected("a slice needs a start or an end") }
    try expect("]", after: "a slice")
    let isOptional = try takeOptional()
    return tree(.slice(target, from: first, upTo: end, isOptional: isOptional), from: start)
  }

  private mutating func term() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    switch token.kind {
    case .field: return try field(of: Syntax(.identity, start..<start), from: start)
    case .number: return try number()
    case .quote: return try string()
    case .format: return try format()
    case .variable: return try variable()
    case .identifier: return try call()
    case .keyword: return try keywordTerm()
    case .symbol: return try symbolTerm()
    case .end: throw unexpected("missing value")
    }
  }

  private mutating func symbolTerm() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    switch token.text {
    case ".":
      try advance()
      let identity = tree(.identity, from: start)
      return token.kind == .quote || token.kind == .format ? try quotedField(of: identity, from: start) : identity
    case "..":
      try advance()
      return tree(.descent, from: start)
    case "(": return try parenthesised()
    case "[": return try array()
    case "{": return try object()
    default: throw unexpected("missing value")
    }
  }

  mutating func parenthesised() throws(SyntaxFault) -> Syntax {
    try advance()
    let inner = try query()
    try expect(")", after: "what '(' opened")
    return inner
  }

  private mutating func array() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    try advance()
    if try takeSymbol("]") { return tree(.array(nil), from: start) }
    let items = try query()
    try expect("]", after: "the items of an array")
    return tree(.array(items), from: start)
  }

  private mutating func number() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    let text = token.text
    guard let value = Double(text.hasSuffix(".") ? text + "0" : text) else { throw unexpected("invalid number") }
    try advance()
    return tree(.number(value, text: text), from: start)
  }
}
