internal import JSON

/// Object construction and the patterns of `as`.
extension Parser {
  mutating func object() throws(SyntaxFault) -> Syntax {
    let start = token.range.lowerBound
    try advance()
    var entries: [ObjectEntry] = []
    while !isSymbol("}") {
      entries.append(try entry())
      guard try takeSymbol(",") else { break }
    }
    if isKeyword("as") { throw unexpected("a value with 'as' stands in parentheses: '{a: (.b as $x | $x)}'") }
    if !isSymbol("}") { throw unexpected("':' stands between key and value, ',' between entries, '}' at the end") }
    try advance()
    return tree(.object(entries), from: start)
  }

  private mutating func entry() throws(SyntaxFault) -> ObjectEntry {
    let key = try entryKey()
    if try takeSymbol(":") { return ObjectEntry(key: key.syntax, value: try entryValue()) }
    switch key.kind {
    case .variable:
      guard case .variable(let name) = key.syntax.kind else { throw unexpected() }
      return ObjectEntry(key: Syntax(.constant(.string(name)), key.syntax.range), value: key.syntax)
    case .name: return ObjectEntry(key: key.syntax, value: nil)
    case .computed: throw unexpected("':' and a value must follow a computed key")
    }
  }

  private enum KeyKind { case name, variable, computed }

  private mutating func entryKey() throws(SyntaxFault) -> (syntax: Syntax, kind: KeyKind) {
    switch token.kind {
    case .identifier, .keyword: return (try nameKey(), .name)
    case .quote, .format: return (try string(), .name)
    case .variable: return (try variable(), .variable)
    case .symbol where token.text == "(": return (try parenthesised(), .computed)
    case .field: throw unexpected("an object's key has no '.': '{\(token.text)}'")
    case .number: throw unexpected("an object's key is a name, a string, or an expression in parentheses")
    default: throw unexpected("missing key of an object")
    }
  }

  private mutating func nameKey() throws(SyntaxFault) -> Syntax {
    let key = Syntax(.constant(.string(token.text)), token.range)
    try advance()
    return key
  }

  /// Parses a value up to the next comma; a pipe in it needs no parentheses.
  private mutating func entryValue() throws(SyntaxFault) -> Syntax {
    try nested { parser throws(SyntaxFault) in
      let start = parser.token.range.lowerBound
      let left = try parser.expression(minimum: 0)
      guard try parser.takeSymbol("|") else { return left }
      let right = try parser.entryValue()
      return parser.tree(.pipe(left, right), from: start)
    }
  }

  /// Parses `pattern ?// pattern ?// …`.
  mutating func patterns() throws(SyntaxFault) -> [Pattern] {
    var patterns = [try pattern()]
    while try takeSymbol("?//") { patterns.append(try pattern()) }
    return patterns
  }

  private mutating func pattern() throws(SyntaxFault) -> Pattern {
    try deepen()
    defer { nesting -= 1 }
    if token.kind == .variable {
      let name = token.text
      try advance()
      return .variable(name)
    }
    if try takeSymbol("[") { return .array(try patternItems("]") { p throws(SyntaxFault) in try p.pattern() }) }
    if try takeSymbol("{") { return .object(try patternItems("}") { p throws(SyntaxFault) in try p.patternEntry() }) }
    throw unexpected("a pattern is '$name', '[…]' or '{…}'")
  }

  private mutating func patternItems<Item>(
    _ end: String, _ parse: (inout Parser) throws(SyntaxFault) -> Item
  ) throws(SyntaxFault) -> [Item] {
    var items = [try parse(&self)]
    while try takeSymbol(",") { items.append(try parse(&self)) }
    try expect(end, after: "a pattern")
    return items
  }

  private mutating func patternEntry() throws(SyntaxFault) -> PatternEntry {
    if token.kind == .variable {
      let name = token.text
      let key = Syntax(.constant(.string(name)), token.range)
      try advance()
      let pattern = try takeSymbol(":") ? try pattern() : nil
      return PatternEntry(variable: name, key: key, pattern: pattern)
    }
    let key = try entryKey().syntax
    try expect(":", after: "the key of a pattern")
    return PatternEntry(variable: nil, key: key, pattern: try pattern())
  }
}
