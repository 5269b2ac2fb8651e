import GraphModel

/// Reads the trait `severity` of a signal.
struct SeverityReader {
  private static let keys = ["level", "when"]

  let reader: DeclarationReader

  func read(_ node: ConfigNode) -> SeverityDeclaration? {
    guard let given = node.entries else { return level(node).map { SeverityDeclaration(level: $0, when: nil) } }
    let node = node.with(reader.problems.entries(given, named: Self.keys, as: "key of a severity"))
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
