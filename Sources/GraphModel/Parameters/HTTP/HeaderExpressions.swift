/// Headers whose values are expressions, by their names.
package struct HeaderExpressions: ParameterValue {
  package let headers: [(name: String, value: GraphExpression)]

  package static var typeName: String { "expressions by the names of headers" }
  package static var shape: ParameterShape { .expressions }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> HeaderExpressions? {
    guard let entries = reading.reader(node).entries() else { return nil }
    var headers: [(name: String, value: GraphExpression)] = []
    for entry in entries {
      if let problem = HeaderRules.problem(inName: entry.name, isComputed: true) {
        reading.reader.problems.error(problem, at: entry.key)
      } else if let value = GraphExpression.read(entry.value, reading) {
        headers.append((entry.name, value))
      }
    }
    return headers.count == entries.count ? HeaderExpressions(headers: headers) : nil
  }
}

/// The path of a request: fixed, or computed from the value.
package enum PathExpression: ParameterValue {
  case fixed(String)
  case computed(GraphExpression)

  package static var typeName: String { "a path such as /status, or an expression" }
  package static var shape: ParameterShape { .expression }
  package var defaultText: String? { if case .fixed(let path) = self { path } else { nil } }

  private static let example = #"'"/rooms/\(.room)"'"#

  /// A text that begins with a slash is a path: no expression begins so.
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> PathExpression? {
    guard node.parameterised == nil, let text = node.scalar?.text else { return computed(node, reading) }
    let problems = reading.reader.problems
    if text.isAddress {
      problems.error(
        "\(text) is an address: the connection has its scheme and host, and a path begins with /", at: node)
      return nil
    }
    guard text.hasPrefix("/") else { return computed(node, reading) }
    if ComputedText.looksComputed(text) {
      problems.warning(
        "the path of all requests is \(text), as it stands here: one that is computed from the value is a text in "
          + "quotes, as in \(example)", at: node)
    }
    return FixedPath.read(node, reading).map { .fixed($0.text) }
  }

  private static func computed(_ node: ConfigNode, _ reading: ParameterReading) -> PathExpression? {
    guard let expression = GraphExpression.read(node, reading) else { return nil }
    let text = reading.reader(node).expression()?.text
    if let prefix = text.flatMap(ComputedText.prefix), !prefix.isEmpty, !prefix.hasPrefix("/") || prefix.hasPrefix("//")
    {
      let rest = prefix.isAddress ? "; the connection has the scheme and the host" : ""
      reading.reader.problems.unworkable("a computed path begins with one /, as in \(example)\(rest)", at: node)
    }
    return .computed(expression)
  }
}

extension String {
  /// True if it begins as an address with a scheme does, such as `https://`.
  fileprivate var isAddress: Bool {
    let scheme = prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return !scheme.isEmpty && self[scheme.endIndex...].hasPrefix("://")
  }
}

/// A path that is no expression.
package struct FixedPath: ParameterValue {
  package let text: String

  package init(text: String) { self.text = text }

  package static var typeName: String { "a path such as /status" }
  package static var shape: ParameterShape { .text }
  package var defaultText: String? { text }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> FixedPath? {
    let reader = reading.reader(node)
    guard let path = reader.text() else { return nil }
    if reader.isOpen { return FixedPath(text: path) }
    if let problem = RequestPath.problem(in: path) {
      reader.problems.error(problem, at: node)
      return nil
    }
    return FixedPath(text: RequestPath.encoded(path))
  }
}
