import Base
package import JSON

/// Reads the declarations of one graph and reports every problem in them.
package final class DeclarationReader {
  package let context: ReadingContext
  let graph: String
  let declared: DeclaredNames
  private let bodies: any BodyReading
  /// The variables that enclosing operators define for expressions, from the outermost.
  private(set) var variables: [String] = []
  /// The number of places numbered so far in the current signal's declaration.
  private var places = 0
  /// The places of its sources and operators; empty unless the context collects them.
  private var stepPlaces: [Int: DeclarationPlace] = [:]
  /// The signals that it has named so far, with their places.
  package private(set) var named: [Mention] = []
  /// The places of the signals read so far, and of the names of others in them.
  package private(set) var mentions: Mentions = [:]
  /// The names and paths on buses in the declarations read so far.
  package private(set) var busMentions: [BusMention] = []
  /// The checks that run once every signal has been read.
  package private(set) var afterwards: [(DeclaredSignals) -> Void] = []

  package init(_ context: ReadingContext, graph: String, declared: DeclaredNames, bodies: any BodyReading) {
    self.context = context
    self.graph = graph
    self.declared = declared
    self.bodies = bodies
  }

  package var problems: Problems { context.problems }

  package func string(_ node: ConfigNode) -> String? { context.reader(node).string() }
  package func bool(_ node: ConfigNode) -> Bool? { context.reader(node).bool() }
  package func json(_ node: ConfigNode) -> JSONValue? { context.reader(node).literal() }

  /// Reports an unknown word and suggests the nearest known one.
  package func unknown(_ what: String, _ word: String, at node: ConfigNode, among known: [String]) {
    let suggestion = Suggestion.likely(for: word, among: known)
    let list = suggestion == nil && !known.isEmpty ? "; known: \(known.joined(separator: ", "))" : ""
    problems.error("unknown \(what) \"\(word)\"\(list)", at: node, for: word, among: known)
  }

  // MARK: Places and variables

  /// Resets the state of the current signal.
  package func beginSignal() {
    places = 0
    stepPlaces = [:]
    named = []
  }

  /// Records the place of a signal that has been read, and the others that it names.
  package func note(_ name: String, at place: some Placed, naming names: [Mention]) {
    mentions[name] = (Extent(place), names)
    context.stepPlaces?.note(name, stepPlaces)
  }

  /// Records an item on a bus that a declaration names, unless it is in an unused template.
  package func note(_ mention: BusMention) { if !declared.isOpen { busMentions.append(mention) } }

  package func nextPlace() -> Int {
    places += 1
    return places
  }

  /// Returns the place of a source or an operator; each of its inputs has an earlier one.
  package func nextPlace(of step: ConfigNode) -> Int {
    let place = nextPlace()
    if context.stepPlaces != nil { stepPlaces[place] = DeclarationPlace(step) }
    return place
  }

  /// Runs `body` with further variables in scope.
  func seeing<Result>(_ names: [String], _ body: () -> Result) -> Result {
    variables += names
    defer { variables.removeLast(names.count) }
    return body()
  }

  /// Defers a check until every signal has been read.
  package func whenAllAreRead(_ check: @escaping (DeclaredSignals) -> Void) { afterwards.append(check) }
}

/// Every signal of a configuration, by its full name.
package typealias DeclaredSignals = [String: SignalDeclaration]

/// The name of a signal in another one's declaration, and its place.
package typealias Mention = (name: String, place: Extent)

/// The places of signals and of the names of others in them, for messages: running signals have no places.
package typealias Mentions = [String: (place: Extent, named: [Mention])]

// MARK: - References

extension DeclarationReader {
  /// Reads a signal given by name or declared inline.
  package func reference(_ node: ConfigNode) -> SignalReference? {
    if node.entries != nil {
      guard let body = inlineBody(node) else { return nil }
      return SignalReference(target: .inline(body), index: nextPlace())
    }
    guard let name = signalName(node) else { return nil }
    named.append((name, Extent(node)))
    return SignalReference(target: .named(name), index: nextPlace())
  }

  /// Returns a reference to a signal that another name, at `node`, implies.
  package func reference(to name: String, at node: ConfigNode) -> SignalReference {
    named.append((name, Extent(node)))
    return SignalReference(target: .named(name), index: nextPlace())
  }

  /// Returns the full name of a declared signal of this graph or, prefixed with its graph's name, of another.
  func signalName(_ node: ConfigNode) -> String? {
    guard let text = node.scalar.flatMap({ _ in context.reader(node).text() }), SignalName.isReference(text) else {
      problems.error("expected a signal: its name, or a declaration in braces", at: node)
      return nil
    }
    let near = "\(graph).\(text)"
    if declared.contains(near) { return near }
    if declared.contains(text) { return text }
    if !declared.isOpen { reportUnknown(text, at: node) }
    return nil
  }

  private func reportUnknown(_ text: String, at node: ConfigNode) {
    let other = SignalName.graph(of: text)
    guard other != text else { return reportUnknown(text, in: graph, at: node) }
    guard declared.names(in: other) != nil else {
      problems.error(
        "no graph \"\(other)\"", at: node, suggestion: Suggestion.likely(for: other, among: declared.graphNames))
      return
    }
    reportUnknown(String(text.dropFirst(other.count + 1)), in: other, at: node)
  }

  private func reportUnknown(_ name: String, in graph: String, at node: ConfigNode) {
    if declared.isAction("\(graph).\(name)") {
      let signals = ActionSignal.visible.map { "\(name).\($0.rawValue)" }.joined(separator: ", ")
      problems.error(
        "\"\(name)\" is an action, not a signal: call it with call: \(name) in a pipe; its signals are \(signals)",
        at: node
      )
      return
    }
    problems.error(
      "no signal \"\(name)\" in graph \"\(graph)\"", at: node, for: name, among: declared.names(in: graph) ?? [])
  }

  /// Reads a list of operators; `nil` after reporting every error in it.
  func pipe(_ node: ConfigNode) -> [any PreparedOperator]? { bodies.pipe(node, self) }

  private func inlineBody(_ node: ConfigNode) -> SignalBody? {
    guard let body = bodies.body(node, self) else { return nil }
    if body.source.takesValues {
      problems.error(
        "an inline \"\(body.source.name)\" cannot be sent to: declare it as a named signal", at: node)
      return nil
    }
    return body
  }
}
