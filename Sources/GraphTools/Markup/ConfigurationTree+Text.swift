import GraphCatalogue
package import GraphModel

extension Configuration {
  /// Returns the configuration, and an equivalent single file with all templates expanded.
  package static func loadExpanded(
    _ source: ConfigurationSource, inputs: ConfigurationInputs = .system
  ) throws(ConfigurationError) -> (configuration: Configuration, text: String) {
    let (configuration, tree, context) = try loadWithTree(source, inputs: inputs)
    return (configuration, tree.text(context))
  }
}

extension ConfigurationTree {
  /// Returns one equivalent file with all templates expanded.
  ///
  /// - Parameter context: The context of the reading, which knows the expressions.
  fileprivate func text(_ context: ReadingContext) -> String {
    let lines = YAMLText(expression: context.expression(at:))
    var root = [Self.entry("signalbox", Self.scalar("1"))]
    if let server { root.append(Self.entry("server", server)) }
    if !graphs.isEmpty { root.append(Self.entry("graphs", Self.mapping(graphs.map(\.whole)))) }
    if !views.isEmpty { root.append(Self.entry("views", Self.mapping(Self.whole(views)))) }
    return lines.text(of: Self.mapping(root))
  }
}

extension ConfigurationTree {
  fileprivate static func scalar(_ text: String) -> ConfigNode { node(.scalar(Scalar(text, style: .plain))) }

  static func mapping(_ entries: [ConfigNode.Entry]) -> ConfigNode { node(.mapping(entries)) }

  static func entry(_ key: String, _ value: ConfigNode) -> ConfigNode.Entry {
    .init(key: scalar(key), value: value)
  }

  /// Returns a node that belongs to no file, for content without diagnostics.
  static func node(_ content: ConfigNode.Content) -> ConfigNode {
    ConfigNode(place: SourceFile(name: "", text: "").start, content: content)
  }
}

extension GraphSection {
  /// All parts merged, with the precedence of reading.
  fileprivate var whole: ConfigNode.Entry {
    var entries: [ConfigNode.Entry] = []
    if let text = values("doc").last { entries.append(ConfigurationTree.entry("doc", text)) }
    let rules = values("access").flatMap { $0.entries ?? [] }
    let latest = rules.enumerated().filter { index, rule in !rules[(index + 1)...].contains { $0.name == rule.name } }
    if !latest.isEmpty {
      entries.append(ConfigurationTree.entry("access", ConfigurationTree.mapping(latest.map(\.element))))
    }
    for key in ["durable", "cluster"] {
      if let value = values(key).first { entries.append(ConfigurationTree.entry(key, value)) }
    }
    for key in ["signals", "actions"] {
      let all = values(key).flatMap { $0.entries ?? [] }
      if !all.isEmpty { entries.append(ConfigurationTree.entry(key, ConfigurationTree.mapping(all))) }
    }
    let tests = values("tests").flatMap { $0.elements ?? [] }
    if !tests.isEmpty { entries.append(ConfigurationTree.entry("tests", ConfigurationTree.node(.sequence(tests)))) }
    return ConfigurationTree.entry(name, ConfigurationTree.mapping(entries))
  }

  private func values(_ key: String) -> [ConfigNode] { parts.compactMap { $0.body[key] } }
}
