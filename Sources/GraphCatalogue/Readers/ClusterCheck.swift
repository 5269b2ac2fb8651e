import GraphModel

/// The reasons why a graph cannot run on any of several nodes.
struct ClusterCheck {
  private let graph: String
  private let placement: ClusterPlacement
  private let place: ConfigNode
  private let reader: DeclarationReader

  /// - Parameter place: The key `cluster` of the graph.
  init(graph: String, _ placement: ClusterPlacement, at place: ConfigNode, _ reader: DeclarationReader) {
    (self.graph, self.placement, self.place, self.reader) = (graph, placement, place, reader)
  }

  /// Reports what keeps the graph from being clustered.
  func report(_ signals: [SignalDeclaration], _ actions: [ActionDeclaration], _ durability: Durability?) {
    if !reader.context.hasCluster {
      refuse("graph \"\(graph)\" is clustered, and server.cluster does not say where: add cluster: {connection: NAME}")
    }
    if durability == nil { refuse("graph \"\(graph)\" is clustered, and so it cannot have durable: false") }
    if durability?.history != nil {
      refuse("graph \"\(graph)\" is clustered, and so it keeps no history: remove history from durable")
    }
    let ofActions = Set(actions.flatMap(\.signals).map(\.name))
    for signal in signals where signal.isDurable { report(signal, ofActions) }
    for action in actions { reportNeeds(action.task.needs, of: action.name) }
  }

  private func report(_ signal: SignalDeclaration, _ ofActions: Set<String>) {
    if signal.traits.run == .lazy {
      refuse("\"\(signal.name)\" is lazy: a signal of a clustered graph runs whoever subscribes, or cold")
    }
    reportNeeds(signal.body.outsideSources.flatMap(\.needs), of: signal.name)
    for other in signal.upstream where SignalName.graph(of: other) != graph || ofActions.contains(other) {
      let action = other.split(separator: ".").dropLast().joined(separator: ".")
      if other == ActionSignal.condition.name(of: action) {
        refuse("\"\(signal.name)\" calls the action \"\(action)\", and a clustered graph cannot call actions")
        continue
      }
      refuse(
        "\"\(signal.name)\" is computed from \"\(other)\", whose values differ from node to node: send them with "
          + "send_to to an input of graph \"\(graph)\"")
    }
  }

  /// Reports what only one machine has, unless the graph names the nodes that have it.
  private func reportNeeds(_ needs: [OutsideNeed], of name: String) {
    guard placement.nodes.isEmpty, let need = needs.lazy.compactMap(\.ofMachine).first else { return }
    refuse("\"\(name)\" uses \(need) of one machine: name the nodes that have it, cluster: {nodes: […]}")
  }

  private func refuse(_ message: String) { reader.problems.error(message, at: place) }
}

extension OutsideNeed {
  /// The need of this machine, for a message; `nil` for one that all nodes can meet.
  fileprivate var ofMachine: String? {
    switch self {
    case .program: "a program"
    case .bus: "a bus"
    case .reading(let path), .writing(let path): "the file \(path)"
    case .writingBelow(let folder): "the folder \(folder)"
    case .journal: "the system journal"
    case .machine(let subject): subject
    case .connection: nil
    }
  }
}
