/// The forms with several words: `if`, `try`, `reduce`, `foreach`, `label`, `break`, `def`.
extension Parser {
  private mutating func inner() throws(SyntaxFault) -> Syntax {
    try query()
  }

  mutating func conditional() throws(SyntaxFault) -> Syntax {
    try nested { parser throws(SyntaxFault) in
      let start = parser.token.range.lowerBound
      try parser.advance()
      let condition = try parser.inner()
      try parser.expect("then", after: "a condition")
      let consequence = try parser.inner()
      let otherwise = try parser.otherwise()
      return parser.tree(.conditional(condition, then: consequence, otherwise: otherwise), from: start)
    }
  }

  private mutating func otherwise() throws(SyntaxFault) -> Syntax? {
    if isKeyword("elif") { return try conditional() }
    if try takeKeyword("end") { return nil }
    guard try takeKeyword("else") else { throw unexpected("'elif', 'else' or 'end' must follow a branch of 'if'") }
    let otherwise = try inner()
    try expect("end", after: "the last branch of 'if'")
    return otherwise
  }

  mutating func attempt() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    try advance()
    let body = try attemptOperand()
    guard try takeKeyword("catch") else { return tree(.attempt(body, handler: nil), from: start) }
    let handler = try attemptOperand()
    return tree(.attempt(body, handler: handler), from: start)
  }

  /// Parses the operand of `try`: one term with its paths, even if a `?` follows.
  private mutating func attemptOperand() throws(SyntaxFault) -> Syntax { try operand() }

  mutating func fold() throws(SyntaxFault) -> Syntax {
    try nested { parser throws(SyntaxFault) in
      let start = parser.token.range.lowerBound
      let word = parser.token.text
      try parser.advance()
      let source = try parser.expression(minimum: 0)
      try parser.expect("as", after: "the source of '\(word)'")
      let patterns = try parser.patterns()
      try parser.expect("(", after: "the pattern of '\(word)'")
      let initial = try parser.inner()
      try parser.expect(";", after: "the initial value of '\(word)'")
      let update = try parser.inner()
      var extract: Syntax?
      if word == "foreach", try parser.takeSymbol(";") { extract = try parser.inner() }
      try parser.expect(")", after: "the last argument of '\(word)'")
      return word == "reduce"
        ? parser.tree(.reduce(source, patterns, initial: initial, update: update), from: start)
        : parser.tree(.foreach(source, patterns, initial: initial, update: update, extract: extract), from: start)
    }
  }

  mutating func label() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    try advance()
    guard token.kind == .variable else { throw unexpected("a name such as '$out' must follow 'label'") }
    let name = token.text
    try advance()
    try expect("|", after: "a label")
    let body = try query()
    return tree(.label(name, body), from: start)
  }

  mutating func breakOut() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    try advance()
    guard token.kind == .variable else { throw unexpected("'break' needs the label to break to, such as '$out'") }
    let name = token.text
    try advance()
    return tree(.breakOut(name), from: start)
  }

  /// Parses `def name(parameters): body;` and the expression that follows.
  mutating func definition() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    try advance()
    guard token.kind == .identifier || token.kind == .keyword else { throw unexpected("a name must follow 'def'") }
    let name = token.text
    try advance()
    let parameters = try parameters(of: name)
    try expect(":", after: "the head of '\(name)'")
    let body = try inner()
    try expect(";", after: "the body of '\(name)'")
    let rest = try query()
    let function = FunctionDefinition(name: name, parameters: parameters, body: body)
    return tree(.define(function, in: rest), from: start)
  }

  private mutating func parameters(of name: String) throws(SyntaxFault) -> [FunctionDefinition.Parameter] {
    var parameters: [FunctionDefinition.Parameter] = []
    guard try takeSymbol("(") else { return parameters }
    repeat {
      guard token.kind == .identifier || token.kind == .keyword || token.kind == .variable else {
        throw unexpected("missing name of a parameter")
      }
      parameters.append(.init(name: token.text, isValue: token.kind == .variable))
      try advance()
    } while try takeSymbol(";")
    try expect(")", after: "the parameters of '\(name)'")
    return parameters
  }
}
