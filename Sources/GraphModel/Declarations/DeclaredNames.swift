/// The full names of everything that a configuration declares, collected before any declaration is read.
package struct DeclaredNames {
  private var graphs: [String: [String]] = [:]
  private var all: Set<String> = []
  /// The full names of actions, which are not signals themselves, with the keys of their tasks.
  private var actions: [String: ActionTaskKey?] = [:]

  /// True if there may be other names: an unused template can name signals of the graphs that it is meant for.
  package let isOpen: Bool

  package init(_ sections: [GraphSection], isOpen: Bool = false) {
    self.isOpen = isOpen
    add(OwnGraph.signals.sorted().map { String($0.dropFirst(OwnGraph.name.count + 1)) }, to: OwnGraph.name)
    for section in sections {
      for part in section.parts {
        let signals = part.body["signals"]?.entries ?? []
        add(signals.map(\.name), to: section.name)
        add(
          signals.filter { PublishedSignal.isDeclared(by: $0.value) }.map { PublishedSignal.name(of: $0.name) },
          to: section.name)
        let actions = part.body["actions"]?.entries ?? []
        for action in actions {
          self.actions["\(section.name).\(action.name)"] = .some(
            ActionTaskKey.allCases.first { action.value[$0.rawValue] != nil })
        }
        add(
          actions.flatMap { action in ActionSignal.visible.map { "\(action.name).\($0.rawValue)" } }, to: section.name)
      }
    }
  }

  private mutating func add(_ names: [String], to graph: String) {
    graphs[graph, default: []] += names
    for name in names { all.insert("\(graph).\(name)") }
  }

  /// The full names of all signals and actions.
  package var fullNames: [String] { all.sorted() + actions.keys.sorted() }

  package func contains(_ name: String) -> Bool { all.contains(name) }

  package func isAction(_ name: String) -> Bool { actions[name] != nil }

  /// Returns the key of an action's task; `nil` if it has none.
  func task(ofAction name: String) -> ActionTaskKey? { actions[name] ?? nil }

  /// Returns the names of all actions as a graph writes them: its own first, without its prefix.
  func actionNames(seenFrom graph: String) -> [String] {
    let prefix = "\(graph)."
    let own = actions.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    return own.sorted() + actions.keys.sorted()
  }

  /// Returns the names in one graph, without its prefix, or `nil` if there is no such graph.
  func names(in graph: String) -> [String]? { graphs[graph] }

  var graphNames: [String] { graphs.keys.sorted() }
}
