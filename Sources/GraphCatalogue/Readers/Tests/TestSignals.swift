import Base
import GraphModel

/// The signals that the tests of one graph can refer to.
struct TestSignals {
  private let graph: String
  private let declared: Set<String>
  private let actions: Set<String>
  /// The valid declarations.
  private let declarations: [String: SignalDeclaration]
  /// The stubs of one test.
  private(set) var stubs: Set<String> = []

  /// - Parameters:
  ///   - declared: The full names of all signals, including invalid ones.
  ///   - actions: The full names of all actions, including invalid ones.
  init(graph: String, declared: Set<String>, actions: Set<String>, declarations: [String: SignalDeclaration]) {
    self.graph = graph
    self.declared = declared
    self.actions = actions
    self.declarations = declarations
  }

  /// Returns the full name of the signal in a node; reports an unknown one.
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
      "no signal \"\(text)\" in graph \"\(graph)\"", at: node, for: text, among: own + declared.sorted())
    return nil
  }

  /// Returns the full name of the action in a node; reports an unknown one.
  func action(_ node: ConfigNode, _ problems: Problems) -> String? {
    if let name = knownAction(node) { return name }
    let text = node.scalar?.text ?? ""
    let prefix = "\(graph)."
    let own = actions.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
    problems.error(
      "no action \"\(text)\" in graph \"\(graph)\"", at: node, for: text, among: own + actions.sorted())
    return nil
  }

  /// Returns true for the full name of an action that no signal has as well.
  func isKnownAction(_ name: String) -> Bool { actions.contains(name) && !declared.contains(name) }

  private func knownAction(_ node: ConfigNode) -> String? {
    guard let text = node.scalar?.text else { return nil }
    return ["\(graph).\(text)", text].first(where: actions.contains)
  }

  /// Returns the full name of a subject that a test may send to and end: a signal with external input, or an action,
  /// whose program's output it then supplies.
  func source(_ node: ConfigNode, _ problems: Problems) -> String? {
    if let text = node.scalar?.text, !isSignal(text), let action = knownAction(node) { return action }
    guard let name = find(node, problems) else { return nil }
    if stubs.contains(name) { return name }
    let shown = "\"\(node.scalar?.text ?? name)\""
    guard
      let refusal = declarations[name]?.refusalToReplace(as: shown, advice: "; give that signal, and expect this one")
    else { return name }
    problems.error(refusal, at: node)
    return nil
  }

  /// Reads the signals stubbed by a test.
  mutating func readStubs(_ reader: Reader) {
    for element in reader.list() ?? [] {
      if let text = element.node.scalar?.text, OwnGraph.signals.contains(text) {
        stubs.insert(text)
        continue
      }
      guard let name = find(element.node, element.problems) else { continue }
      if declarations[name]?.isCold ?? false {
        element.problems.error(
          "\"\(element.node.scalar?.text ?? name)\" is cold: it runs once per subscriber", at: element)
      } else {
        stubs.insert(name)
      }
    }
  }

  /// Recognizes the word for calls of actions, unless it is a signal or a subscriber of the test.
  func meansCalls(_ word: String, _ plan: TestPlan) -> Bool {
    word == "call" && !isSignal(word) && !plan.hasSubscriber(word)
  }

  /// Checks for a signal of this name in the graph.
  func isSignal(_ name: String) -> Bool { declared.contains("\(graph).\(name)") }
}

extension ConfigurationTree {
  /// The full names of all declared actions, including invalid ones.
  var declaredActions: Set<String> {
    var names: Set<String> = []
    for graph in graphs {
      for part in graph.parts {
        for action in part.body["actions"]?.entries ?? [] { names.insert("\(graph.name).\(action.name)") }
      }
    }
    return names
  }

  /// The full names of all declared signals, including invalid ones.
  var declaredSignals: Set<String> {
    var names: Set<String> = []
    for graph in graphs {
      for part in graph.parts {
        for signal in part.body["signals"]?.entries ?? [] {
          names.insert("\(graph.name).\(signal.name)")
          if PublishedSignal.isDeclared(by: signal.value) {
            names.insert("\(graph.name).\(PublishedSignal.name(of: signal.name))")
          }
        }
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
