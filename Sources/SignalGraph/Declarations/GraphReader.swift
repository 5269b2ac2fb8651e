import JSON

/// Reads the sections of one graph, which may stand in several files.
struct GraphReader {
  private let section: GraphSection
  private let reader: DeclarationReader
  private var name: String { section.name }

  init(_ section: GraphSection, _ context: ReadingContext) {
    self.section = section
    reader = DeclarationReader(context, graph: section.name)
  }

  /// The graph, or `nil` when one of its signals is wrong; the problems say which.
  func read() -> GraphDeclaration? {
    var entries: [ConfigNode.Entry] = []
    var documentation: String?
    var access = AccessRules()
    for part in section.parts {
      guard let mapping = reader.context.reader(part.body).mapping() else { continue }
      documentation = mapping.optional("doc")?.string() ?? documentation
      if let node = mapping.optional("access")?.node { access = AccessRules(node, reader.context).over(access) }
      entries += mapping.optional("signals")?.entries() ?? []
      refuseActions(mapping)
      // Tests name signals of any graph and so are read after all of them.
      _ = mapping.optional("tests")
      mapping.finish()
    }
    let signals = read(unique(entries), access)
    let order = SignalOrder.of(signals, reader.problems)
    resolve(reader.named, declared: entries.map { "\(name).\($0.name)" })
    guard signals.count == entries.count else { return nil }
    return GraphDeclaration(
      name: name, documentation: documentation, signals: signals, buildOrder: order, fingerprint: fingerprint(entries))
  }

  private func refuseActions(_ mapping: MappingReader) {
    guard mapping.optional("actions") != nil, let entry = mapping.entry("actions") else { return }
    reader.problems.error("\"actions\" are not supported yet", at: entry.key)
  }

  /// The entries without those whose name was given before, perhaps in another file.
  private func unique(_ entries: [ConfigNode.Entry]) -> [ConfigNode.Entry] {
    var first: [String: ConfigNode.Entry] = [:]
    return entries.filter { entry in
      if let earlier = first[entry.name] {
        reader.problems.error(
          "signal \"\(name).\(entry.name)\" is declared twice", at: entry.key,
          related: .init("declared here first", at: earlier.key.place))
        return false
      }
      first[entry.name] = entry
      return true
    }
  }

  private func read(_ entries: [ConfigNode.Entry], _ access: AccessRules) -> [SignalDeclaration] {
    entries.compactMap { entry in
      let isNamed = reader.context.name(key: entry.key) != nil
      guard let (body, read) = SignalReader(entry.value, at: entry.key, reader).read(isInline: false), isNamed else {
        return nil
      }
      var traits = read
      traits.access = traits.access.over(access)
      return SignalDeclaration(
        name: "\(name).\(entry.name)", node: entry.key, body: body, traits: traits, text: entry.value.declaration)
    }
  }

  /// Reports each name that nothing is declared under.
  private func resolve(_ references: [(name: String, node: ConfigNode)], declared: [String]) {
    let known = Set(declared)
    for (reference, node) in references where !known.contains(reference) {
      if !reference.hasPrefix("\(name).") {
        reader.problems.error("a signal of another graph cannot be used yet: \"\(reference)\"", at: node)
        continue
      }
      let short = reference.dropFirst(name.count + 1)
      let names = declared.map { String($0.dropFirst(name.count + 1)) }
      reader.problems.error(
        "no signal \"\(short)\" in graph \"\(name)\"", at: node,
        suggestion: Suggestion.nearest(to: String(short), in: names))
    }
  }

  /// What decides whether the graph changed: every declaration with `${…}` replaced, but for what applies in place.
  private func fingerprint(_ entries: [ConfigNode.Entry]) -> JSONValue {
    let silent = reader.context.withoutReporting()
    var signals = JSONObject()
    for entry in entries {
      var declaration = JSONObject()
      for part in entry.value.entries ?? [] where !TraitReader.appliedInPlace.contains(part.name) {
        declaration[part.name] = silent.reader(part.value).value() ?? part.value.declaration
      }
      signals[entry.name] = .object(declaration)
    }
    return .object(signals)
  }
}
