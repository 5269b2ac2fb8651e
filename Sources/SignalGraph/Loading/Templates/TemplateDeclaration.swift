/// A template as a file declares it: parameters, and what they stand in.
struct TemplateDeclaration: Sendable {
  /// The part of a configuration to which a use of a template adds.
  enum Kind: Sendable {
    /// To the graph that it stands in.
    case signals
    /// To the configuration.
    case graphs

    /// The keys of a template that make up its content.
    var keys: [String] {
      switch self {
      case .signals: ["signals", "actions", "tests", "use"]
      case .graphs: ["graphs", "use"]
      }
    }
  }

  let key: ConfigNode
  let parameters: [TemplateParameter]
  let kind: Kind
  /// A mapping with the kind's keys.
  let body: ConfigNode

  var name: String { key.scalar?.text ?? "" }

  /// Reads a template; `nil` after everything wrong with it has been reported.
  init?(_ entry: ConfigNode.Entry, _ context: ReadingContext) {
    key = entry.key
    guard context.name(key: key) != nil, let mapping = context.reader(entry.value).mapping() else { return nil }
    _ = mapping.optional("doc")?.string()
    parameters = (mapping.optional("parameters")).map { Self.parameters($0, context) } ?? []
    let content = ["signals", "actions", "tests", "graphs", "use"].filter { mapping.optional($0) != nil }
    mapping.finish()
    kind = content.contains("graphs") ? .graphs : .signals
    let foreign = content.filter { [kind] in !kind.keys.contains($0) }
    if let first = foreign.first, let entry = mapping.entry(first) {
      context.problems.error(
        "a template gives either graphs or what stands in one: \"\(first)\" belongs into a graph here", at: entry.key)
      return nil
    }
    if content.isEmpty {
      context.problems.error("a template gives signals, actions, tests or graphs; here are none", at: key)
      return nil
    }
    body = ConfigNode(
      place: entry.value.place, length: entry.value.length,
      content: .mapping(content.compactMap(mapping.entry).filter { !$0.value.isAbsent }))
  }

  private static func parameters(_ section: Reader, _ context: ReadingContext) -> [TemplateParameter] {
    if section.isAbsent { return [] }
    return (section.entries() ?? []).compactMap { entry in
      let name = entry.name
      if TemplateParameter.reserved.contains(name) {
        context.problems.error("\"\(name)\" cannot be a parameter: $\(name) is known to expressions", at: entry.key)
        return nil
      }
      guard TemplateParameter.isName(name) else {
        context.problems.error(
          "\"\(name)\" cannot be a parameter: small letters, digits and \"_\" can stand in its name, a letter first",
          at: entry.key)
        return nil
      }
      return TemplateParameter(key: entry.key, initial: entry.value.isNull ? nil : entry.value)
    }
  }
}
