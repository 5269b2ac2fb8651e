/// Builds the tree of a JSON file (RFC 8259), with the place of each node.
///
/// The parser of the `JSON` target yields values without places, and libyaml accepts much that is not JSON and rejects
/// some that is (surrogate pairs, long keys), so configurations have their own parser.
struct JSONTree {
  private var scanner: JSONScanner
  private let problems: Problems
  private var depth = 0

  static func root(of source: SourceFile, _ problems: Problems) throws(SyntaxError) -> ConfigNode {
    var tree = JSONTree(scanner: JSONScanner(source), problems: problems)
    tree.scanner.skipSpace()
    let root = try tree.node()
    tree.scanner.skipSpace()
    guard tree.scanner.isAtEnd else { throw tree.scanner.unexpected("unexpected text after the value of the document") }
    return root
  }

  private init(scanner: JSONScanner, problems: Problems) {
    self.scanner = scanner
    self.problems = problems
  }

  private mutating func node() throws(SyntaxError) -> ConfigNode {
    depth += 1
    defer { depth -= 1 }
    let start = scanner.position
    guard depth <= ConfigNode.maximumDepth else {
      throw SyntaxError("nested deeper than \(ConfigNode.maximumDepth) levels", at: scanner.place)
    }
    let content = try content()
    return ConfigNode(place: scanner.place(of: start), length: scanner.length(from: start), content: content)
  }

  private mutating func content() throws(SyntaxError) -> ConfigNode.Content {
    switch scanner.next {
    case UInt8(ascii: "{"): return .mapping(try entries())
    case UInt8(ascii: "["): return .sequence(try elements())
    case UInt8(ascii: "\""): return .scalar(Scalar(try scanner.string(), style: .doubleQuoted))
    default: return .scalar(Scalar(try scanner.word(), style: .plain, hasExactColumns: true))
    }
  }

  private mutating func elements() throws(SyntaxError) -> [ConfigNode] {
    var elements: [ConfigNode] = []
    scanner.advance()
    scanner.skipSpace()
    if scanner.take("]") { return [] }
    while true {
      elements.append(try node())
      scanner.skipSpace()
      if scanner.take("]") { return elements }
      guard scanner.take(",") else { throw scanner.unexpected("expected \",\" or \"]\"") }
      scanner.skipSpace()
    }
  }

  private mutating func entries() throws(SyntaxError) -> [ConfigNode.Entry] {
    var keys = UniqueKeys(problems: problems)
    var entries: [ConfigNode.Entry] = []
    scanner.advance()
    scanner.skipSpace()
    if scanner.take("}") { return [] }
    while true {
      let entry = try entry()
      if keys.accept(entry.key) { entries.append(entry) }
      scanner.skipSpace()
      if scanner.take("}") { return entries }
      guard scanner.take(",") else { throw scanner.unexpected("expected \",\" or \"}\"") }
      scanner.skipSpace()
    }
  }

  private mutating func entry() throws(SyntaxError) -> ConfigNode.Entry {
    guard scanner.next == UInt8(ascii: "\"") else { throw scanner.unexpectedKey() }
    let key = try node()
    scanner.skipSpace()
    guard scanner.take(":") else { throw scanner.unexpected("expected \":\" after the key") }
    scanner.skipSpace()
    return ConfigNode.Entry(key: key, value: try node())
  }
}
