import Base

/// Builds the tree of a YAML file from its events.
struct YAMLTree {
  private let source: SourceFile
  private let events: YAMLEvents
  private let problems: Problems
  private var aliases = YAMLAliases()

  private init(_ source: SourceFile, problems: Problems) {
    self.source = source
    self.problems = problems
    events = YAMLEvents(source)
  }

  /// Returns the root of the file's only document; an empty scalar if there is none.
  static func root(of source: SourceFile, _ problems: Problems) throws(SyntaxError) -> ConfigNode {
    var tree = YAMLTree(source, problems: problems)
    return try tree.document()
  }

  private mutating func document() throws(SyntaxError) -> ConfigNode {
    _ = try events.next()
    guard case .documentStart = try events.next().kind else {
      return ConfigNode(place: source.start, content: .scalar(Scalar("", style: .plain)))
    }
    let root = try node()
    _ = try events.next()
    let after = try events.next()
    if case .streamEnd = after.kind { return root }
    throw SyntaxError("unexpected second document: a configuration file holds one", at: place(of: after))
  }

  private mutating func node() throws(SyntaxError) -> ConfigNode { try node(at: try events.next()) }

  private mutating func node(at event: YAMLEvent) throws(SyntaxError) -> ConfigNode {
    if case .alias(let name) = event.kind { return try aliases.expand(name, at: place(of: event)) }
    let beginning = try aliases.begin(event.anchor, at: place(of: event))
    let node = try unaliasedNode(at: event)
    aliases.end(beginning, as: node)
    return node
  }

  private mutating func unaliasedNode(at event: YAMLEvent) throws(SyntaxError) -> ConfigNode {
    switch event.kind {
    case .scalar(let text, let style): return scalar(text, style, at: event)
    case .sequenceStart: return try sequence(from: event)
    default: return try mapping(from: event)
    }
  }

  private mutating func sequence(from start: YAMLEvent) throws(SyntaxError) -> ConfigNode {
    checkCollectionTag(of: start, is: "seq")
    var elements: [ConfigNode] = []
    while true {
      let event = try events.next()
      if case .sequenceEnd = event.kind { return collection(.sequence(elements), from: start, to: event) }
      let element = try node(at: event)
      try checkBlanks(in: element)
      elements.append(element)
    }
  }

  private mutating func mapping(from start: YAMLEvent) throws(SyntaxError) -> ConfigNode {
    checkCollectionTag(of: start, is: "map")
    var keys = UniqueKeys(problems: problems)
    var entries: [ConfigNode.Entry] = []
    while true {
      let event = try events.next()
      if case .mappingEnd = event.kind { return collection(.mapping(entries), from: start, to: event) }
      let key = try node(at: event)
      try checkBlanks(in: key, isKey: true)
      let value = try node()
      try checkBlanks(in: value)
      if keys.accept(key) { entries.append(ConfigNode.Entry(key: key, value: value)) }
    }
  }
}

extension YAMLTree {
  private func place(of event: YAMLEvent) -> Place { source.place(ofScalar: event.start) }

  /// Locates plain and single-quoted scalars from their end, since an anchor or a tag may precede them.
  private func scalar(_ text: String, _ style: Scalar.Style, at event: YAMLEvent) -> ConfigNode {
    let isExact = event.isOnOneLine && (style == .plain || style == .singleQuoted)
    let scalar = Scalar(text, style: style, tag: tag(of: event), hasExactColumns: isExact)
    let width = scalar.columns(before: text.utf8.count) + (style == .singleQuoted ? 1 : 0)
    let start = isExact ? event.end - width : event.start
    return ConfigNode(
      place: source.place(ofScalar: start), length: event.isOnOneLine ? event.end - start : 1,
      content: .scalar(scalar))
  }

  private func collection(
    _ content: ConfigNode.Content, from start: YAMLEvent, to end: YAMLEvent
  ) -> ConfigNode {
    let (first, last) = (place(of: start), source.place(ofScalar: end.end))
    let isOnOneLine = first.line == last.line
    return ConfigNode(place: first, length: isOnOneLine ? end.end - start.start : 1, content: content)
  }

  /// Throws for an invisible character at the edge of a plain text or anywhere in a key: it was intended as a space.
  private func checkBlanks(in node: ConfigNode, isKey: Bool = false) throws(SyntaxError) {
    guard let scalar = node.scalar, scalar.style == .plain, let first = InvisibleCharacter.first(in: scalar.text) else {
      return
    }
    let scalars = scalar.text.unicodeScalars
    var (offset, character) = first
    if !isKey, offset > 0 {
      guard let last = scalars.last.flatMap(InvisibleCharacter.init) else { return }
      (offset, character) = (scalars.count - 1, last)
    }
    let place = node.place
    throw .invisible(character, at: Place(file: place.source, line: place.line, column: place.column + offset))
  }

  private static let prefix = "tag:yaml.org,2002:"

  private func tag(of event: YAMLEvent) -> Scalar.Tag? {
    guard let name = event.tag else { return nil }
    if name == "!" { return .string }
    let tag = name.hasPrefix(Self.prefix) ? Scalar.Tag(rawValue: String(name.dropFirst(Self.prefix.count))) : nil
    if tag == nil { reportTag(name, at: event) }
    return tag
  }

  private func checkCollectionTag(of event: YAMLEvent, is expected: String) {
    if let name = event.tag, name != "!", name != Self.prefix + expected { reportTag(name, at: event) }
  }

  private func reportTag(_ name: String, at event: YAMLEvent) {
    let written = name.hasPrefix(Self.prefix) ? "!!" + name.dropFirst(Self.prefix.count) : name
    problems.error(
      "unknown tag \(written); text that begins with \"!\" needs quotes", at: place(of: event))
  }
}
