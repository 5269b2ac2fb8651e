/// The full names of everything that a configuration declares, known before any declaration is read.
struct DeclaredNames {
  private var graphs: [String: [String]] = [:]
  private var all: Set<String> = []
  /// The full names of actions, which are no signals themselves.
  private var actions: Set<String> = []

  /// Whether there may be others: a template that nobody uses can name signals of the graphs that it is meant for.
  let isOpen: Bool

  init(_ sections: [GraphSection], isOpen: Bool = false) {
    self.isOpen = isOpen
    add(OwnSignals.names.sorted().map { String($0.dropFirst(OwnSignals.graph.count + 1)) }, to: OwnSignals.graph)
    for section in sections {
      for part in section.parts {
        add(part.body["signals"]?.entries?.map(\.name) ?? [], to: section.name)
        let actions = part.body["actions"]?.entries?.map(\.name) ?? []
        self.actions.formUnion(actions.map { "\(section.name).\($0)" })
        add(actions.flatMap { action in ActionSignal.visible.map { "\(action).\($0.rawValue)" } }, to: section.name)
      }
    }
  }

  private mutating func add(_ names: [String], to graph: String) {
    graphs[graph, default: []] += names
    for name in names { all.insert("\(graph).\(name)") }
  }

  func contains(_ name: String) -> Bool { all.contains(name) }

  func isAction(_ name: String) -> Bool { actions.contains(name) }

  /// The names of all actions as a graph names them: its own without its prefix, and first.
  func actionNames(seenFrom graph: String) -> [String] {
    let prefix = "\(graph)."
    let own = actions.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    return own.sorted() + actions.sorted()
  }

  /// The names in one graph, without its prefix; `nil` where there is no such graph.
  func names(in graph: String) -> [String]? { graphs[graph] }

  var graphNames: [String] { graphs.keys.sorted() }
}
