/// A template as declared in a file: parameters and content.
struct TemplateDeclaration: Sendable {
  /// The part of a configuration that a use of the template extends.
  enum Kind: Sendable {
    /// The enclosing graph.
    case signals
    /// The configuration.
    case graphs

    /// The keys of a template's content.
    var keys: [String] {
      switch self {
      case .signals: ["signals", "actions", "tests", "views", "use"]
      case .graphs: ["graphs", "views", "use"]
      }
    }
  }

  let key: ConfigNode
  let parameters: [TemplateParameter]
  let kind: Kind
  /// A mapping with the keys of its kind.
  let body: ConfigNode

  var name: String { key.scalar?.text ?? "" }

  private static let contents = ["signals", "actions", "tests", "graphs", "views", "use"]
  private static let keys = ["doc", "parameters"] + contents

  /// Reads a template; reports all errors and returns `nil` if there are any.
  init?(_ entry: ConfigNode.Entry, _ context: ReadingContext) {
    key = entry.key
    guard context.name(key: key) != nil, let mapping = context.reader(entry.value).mapping(of: Self.keys) else {
      return nil
    }
    _ = mapping.optional("doc")?.string()
    parameters = (mapping.optional("parameters")).map { Self.parameters($0, context) } ?? []
    let content = Self.contents.filter { mapping.entry($0) != nil }
    kind = content.contains("graphs") ? .graphs : .signals
    let foreign = content.filter { [kind] in !kind.keys.contains($0) }
    if let first = foreign.first, let entry = mapping.entry(first) {
      context.problems.error(
        "a template has either graphs or the content of one: move \"\(first)\" into a graph", at: entry.key)
      return nil
    }
    if content.isEmpty {
      context.problems.error("a template needs signals, actions, tests, graphs or views", at: key)
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
        context.problems.error(
          "invalid parameter name \"\(name)\": $\(name) is predefined in expressions", at: entry.key)
        return nil
      }
      guard TemplateParameter.isName(name) else {
        context.problems.error(
          "invalid parameter name \"\(name)\": use lower-case letters, digits and \"_\", a letter first",
          at: entry.key)
        return nil
      }
      return TemplateParameter(key: entry.key, initial: entry.value.isNull ? nil : entry.value)
    }
  }
}
