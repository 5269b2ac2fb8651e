import GraphModel

/// Reads the trait `severity` of a signal.
struct SeverityReader {
  private static let keys = ["level", "when"]

  let reader: DeclarationReader

  func read(_ node: ConfigNode) -> SeverityDeclaration? {
    guard let entries = node.entries else { return level(node).map { SeverityDeclaration(level: $0, when: nil) } }
    for entry in entries where !Self.keys.contains(entry.name) {
      reader.unknown("key of a severity", entry.name, at: entry.key, among: Self.keys)
    }
    let when: GraphExpression? = node["when"].flatMap {
      GraphExpression.read($0, ParameterReading(reader: reader, name: "when", minimum: 0, maximum: 0, variables: []))
    }
    guard let level = node["level"] else {
      reader.problems.error(
        "severity takes a level, or {level, when}, as in {level: critical, when: \". > 30\"}", at: node)
      return nil
    }
    return self.level(level).map { SeverityDeclaration(level: $0, when: when) }
  }

  private func level(_ node: ConfigNode) -> SeverityDeclaration.Level? {
    reader.context.reader(node).choice(of: SeverityDeclaration.Level.self)
  }
}
