import JSON
import Spelling

/// Reads the declarations of one graph and reports every problem on the way.
final class DeclarationReader {
  let context: ReadingContext
  let graph: String
  let declared: DeclaredNames
  /// The variables that operators around the present place give to expressions, in the order of their nesting.
  private(set) var variables: [String] = []
  /// The number of places of the present signal's declaration that have been numbered.
  private var places = 0
  /// Where its sources and operators stand, if somebody asks for that.
  private var stepPlaces: [Int: DeclarationPlace] = [:]
  /// The signals that it has named so far, each with its place.
  private(set) var named: [Mention] = []
  /// The places of the signals that have been read, and of the names of others in them.
  private(set) var mentions: Mentions = [:]
  /// The checks that need every signal to have been read.
  private(set) var afterwards: [(DeclaredSignals) -> Void] = []

  init(_ context: ReadingContext, graph: String, declared: DeclaredNames) {
    self.context = context
    self.graph = graph
    self.declared = declared
  }

  var problems: Problems { context.problems }

  func string(_ node: ConfigNode) -> String? { context.reader(node).string() }
  func bool(_ node: ConfigNode) -> Bool? { context.reader(node).bool() }
  func json(_ node: ConfigNode) -> JSONValue? { context.reader(node).literal() }

  /// Reports a word that is not known, with the nearest one that is.
  func unknown(_ what: String, _ word: String, at node: ConfigNode, among known: [String]) {
    let suggestion = Suggestion.likely(for: word, among: known)
    let list = suggestion == nil && !known.isEmpty ? "; known are \(known.joined(separator: ", "))" : ""
    problems.error("unknown \(what) \"\(word)\"\(list)", at: node, suggestion: suggestion)
  }

  // MARK: Places and variables

  /// Begins another signal.
  func beginSignal() {
    places = 0
    stepPlaces = [:]
    named = []
  }

  /// Notes the place of a signal that has been read, and the others that it names.
  func note(_ name: String, at place: some Placed, naming names: [Mention]) {
    mentions[name] = (Extent(place), names)
    context.stepPlaces?.note(name, stepPlaces)
  }

  /// Notes something on a bus that a declaration names, unless that is one of a template that nobody uses.
  func note(_ mention: BusMention) { if !declared.isOpen { context.busMentions.append(mention) } }

  func nextPlace() -> Int {
    places += 1
    return places
  }

  /// The place of a source or an operator, of which every input has one before it.
  func nextPlace(of step: ConfigNode) -> Int {
    let place = nextPlace()
    if context.stepPlaces != nil { stepPlaces[place] = DeclarationPlace(step) }
    return place
  }

  /// Reads something in which further variables can be seen.
  func seeing<Result>(_ names: [String], _ body: () -> Result) -> Result {
    variables += names
    defer { variables.removeLast(names.count) }
    return body()
  }

  /// Puts off a check that needs every signal; `whenRead` runs those.
  func whenAllAreRead(_ check: @escaping (DeclaredSignals) -> Void) { afterwards.append(check) }
}

/// Every signal of a configuration, by its full name.
typealias DeclaredSignals = [String: SignalDeclaration]

/// A signal that another one names, and where.
typealias Mention = (name: String, place: Extent)

/// The places of signals and of the names of others in them, for messages: running signals know no places.
typealias Mentions = [String: (place: Extent, named: [Mention])]

// MARK: - References

extension DeclarationReader {
  /// A signal by its name or declared on the spot.
  func reference(_ node: ConfigNode) -> SignalReference? {
    if node.entries != nil {
      guard let body = inlineBody(node) else { return nil }
      return SignalReference(target: .inline(body), index: nextPlace())
    }
    guard let name = signalName(node) else { return nil }
    named.append((name, Extent(node)))
    return SignalReference(target: .named(name), index: nextPlace())
  }

  /// A signal by its full name, which another thing stands for at a node.
  func reference(to name: String, at node: ConfigNode) -> SignalReference {
    named.append((name, Extent(node)))
    return SignalReference(target: .named(name), index: nextPlace())
  }

  /// The full name of a declared signal, of this graph or, with its graph's name, of another.
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
        "\"\(name)\" is an action, which clients and call: \(name) in a pipe call; its signals are \(signals)", at: node
      )
      return
    }
    problems.error(
      "no signal \"\(name)\" in graph \"\(graph)\"", at: node,
      suggestion: Suggestion.likely(for: name, among: declared.names(in: graph) ?? []))
  }

  private func inlineBody(_ node: ConfigNode) -> SignalBody? {
    guard let (body, _) = SignalReader(node, at: node, self).read(isInline: true) else { return nil }
    if body.source.takesValues {
      problems.error(
        "nobody could send to \"\(body.source.name)\" here: give the signal a name of its own", at: node)
      return nil
    }
    return body
  }
}
