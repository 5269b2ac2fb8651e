import JSON

/// Reads the declarations of one graph and reports every problem on the way.
final class DeclarationReader {
  let context: ReadingContext
  let graph: String
  /// Every signal that was named so far, also by signals that are wrong in another way.
  private(set) var named: [(name: String, node: ConfigNode)] = []

  init(_ context: ReadingContext, graph: String) {
    self.context = context
    self.graph = graph
  }

  var problems: Problems { context.problems }

  func string(_ node: ConfigNode) -> String? { context.reader(node).string() }
  func bool(_ node: ConfigNode) -> Bool? { context.reader(node).bool() }
  func json(_ node: ConfigNode) -> JSONValue? { context.reader(node).value() }

  /// Reports a word that is not known, with the nearest one that is.
  func unknown(_ what: String, _ word: String, at node: ConfigNode, among known: [String]) {
    let suggestion = Suggestion.nearest(to: word, in: known)
    let list = suggestion == nil && !known.isEmpty ? "; known are \(known.joined(separator: ", "))" : ""
    problems.error("unknown \(what) \"\(word)\"\(list)", at: node, suggestion: suggestion)
  }

  /// A signal by its name or declared on the spot.
  func reference(_ node: ConfigNode) -> SignalReference? {
    if node.entries != nil { return inlineBody(node).map(SignalReference.inline) }
    guard let text = node.scalar?.text, SignalName.isReference(text) else {
      problems.error("expected a signal: its name, or a declaration in braces", at: node)
      return nil
    }
    let name = text.contains(".") ? text : "\(graph).\(text)"
    named.append((name, node))
    return .named(name, at: node)
  }

  private func inlineBody(_ node: ConfigNode) -> SignalBody? {
    guard let (body, _) = SignalReader(node, at: node, self).read(isInline: true) else { return nil }
    if body.source.kind == .input || body.source.kind == .property {
      problems.error(
        "nobody could send to \"\(body.source.name)\" here: give the signal a name of its own", at: node)
      return nil
    }
    return body
  }
}

/// How one signal names another.
enum SignalName {
  /// `signal` or `graph.signal`.
  static func isReference(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy(Name.isValid)
  }
}
