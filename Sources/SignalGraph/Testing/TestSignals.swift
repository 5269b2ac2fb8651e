import Spelling

/// The signals that the tests of one graph can name.
struct TestSignals {
  private let graph: String
  private let declared: Set<String>
  private let actions: Set<String>
  /// Those that were found right.
  private let declarations: [String: SignalDeclaration]
  /// Those for which one test speaks as a whole.
  private(set) var stubs: Set<String> = []

  /// - Parameters:
  ///   - declared: The full names of all signals, wrong ones too.
  ///   - actions: The same of all actions.
  init(graph: String, declared: Set<String>, actions: Set<String>, declarations: [String: SignalDeclaration]) {
    self.graph = graph
    self.declared = declared
    self.actions = actions
    self.declarations = declarations
  }

  /// The full name of the signal that a node names; where there is none, that is reported.
  func find(_ node: ConfigNode, _ problems: Problems) -> String? {
    guard let text = node.scalar?.text else {
      problems.error("expected the name of a signal", at: node)
      return nil
    }
    if declared.contains("\(graph).\(text)") { return "\(graph).\(text)" }
    if declared.contains(text) || stubs.contains(text) { return text }
    let prefix = "\(graph)."
    let own = declared.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
    problems.error(
      "no signal \"\(text)\" in graph \"\(graph)\"", at: node,
      suggestion: Suggestion.likely(for: text, among: own + declared.sorted()))
    return nil
  }

  /// The full name of the action that a node names; where there is none, that is reported.
  func action(_ node: ConfigNode, _ problems: Problems) -> String? {
    if let name = knownAction(node) { return name }
    let text = node.scalar?.text ?? ""
    let prefix = "\(graph)."
    let own = actions.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
    problems.error(
      "no action \"\(text)\" in graph \"\(graph)\"", at: node,
      suggestion: Suggestion.likely(for: text, among: own + actions.sorted()))
    return nil
  }

  private func knownAction(_ node: ConfigNode) -> String? {
    guard let text = node.scalar?.text else { return nil }
    return ["\(graph).\(text)", text].first(where: actions.contains)
  }

  /// The full name of a thing that a test may send to and end: a signal with something from outside, or an action, for
  /// the output of its program.
  func source(_ node: ConfigNode, _ problems: Problems) -> String? {
    if let text = node.scalar?.text, !isSignal(text), let action = knownAction(node) { return action }
    guard let name = find(node, problems) else { return nil }
    if stubs.contains(name) { return name }
    let shown = "\"\(node.scalar?.text ?? name)\""
    guard
      let refusal = declarations[name]?.refusalToSpeak(as: shown, advice: "; give that, and expect this")
    else { return name }
    problems.error(refusal, at: node)
    return nil
  }

  /// Reads the signals for which a test speaks as a whole.
  mutating func readStubs(_ reader: Reader) {
    for element in reader.list() ?? [] {
      if let text = element.node.scalar?.text, OwnSignals.names.contains(text) {
        stubs.insert(text)
        continue
      }
      guard let name = find(element.node, element.problems) else { continue }
      if declarations[name]?.isCold ?? false {
        element.problems.error(
          "\"\(element.node.scalar?.text ?? name)\" is cold, and runs for each subscriber by itself", at: element)
      } else {
        stubs.insert(name)
      }
    }
  }

  /// Whether a word introduces the calls of actions, rather than naming a signal or one of the test's subscribers.
  func meansCalls(_ word: String, _ plan: TestPlan) -> Bool {
    word == "call" && !isSignal(word) && !plan.hasSubscriber(word)
  }

  /// Whether a word is the name of a signal of this graph.
  func isSignal(_ name: String) -> Bool { declared.contains("\(graph).\(name)") }
}

extension ConfigurationTree {
  /// The full names of all actions that the files declare, whether or not they are right.
  var declaredActions: Set<String> {
    var names: Set<String> = []
    for graph in graphs {
      for part in graph.parts {
        for action in part.body["actions"]?.entries ?? [] { names.insert("\(graph.name).\(action.name)") }
      }
    }
    return names
  }

  /// The full names of all signals that the files declare, whether or not they are right.
  var declaredSignals: Set<String> {
    var names: Set<String> = []
    for graph in graphs {
      for part in graph.parts {
        for signal in part.body["signals"]?.entries ?? [] { names.insert("\(graph.name).\(signal.name)") }
        for action in part.body["actions"]?.entries ?? [] {
          for signal in ActionSignal.visible {
            names.insert("\(graph.name).\(action.name).\(signal.rawValue)")
          }
        }
      }
    }
    return names
  }
}
