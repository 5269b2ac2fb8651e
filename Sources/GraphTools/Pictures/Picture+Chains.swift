extension Picture {
  /// The least length of a chain that becomes one node.
  private static let shortest = 3
  /// The most signals of a chain that are listed in its node.
  private static let mostListed = 5

  /// Returns the diagram with each chain as one node.
  ///
  /// A chain is a row of computed signals. Only the next one reads each of them, and reads nothing else. Its node is that
  /// of the last one, whose values are its result, and lists the signals before it. A signal with a severity is only ever the
  /// last one.
  func foldingChains() -> Picture {
    var folded = self
    let outgoing = Dictionary(grouping: edges, by: \.from)
    let incoming = Dictionary(grouping: edges, by: \.to)
    for place in clusters.indices {
      let nodes = Dictionary(uniqueKeysWithValues: clusters[place].nodes.map { ($0.id, $0) })
      /// Returns the node before another one in its chain.
      func earlier(_ node: Node) -> Node? {
        guard let edge = incoming[node.id], edge.count == 1, edge[0].kind == .value, edge[0].label == nil,
          outgoing[edge[0].from]?.count == 1, let earlier = nodes[edge[0].from], earlier.shape == .derived,
          !earlier.hasSeverity
        else { return nil }
        return earlier
      }
      func isLast(_ node: Node) -> Bool {
        guard node.shape == .derived else { return false }
        guard let edges = outgoing[node.id], edges.count == 1, let next = nodes[edges[0].to], next.shape == .derived
        else { return true }
        return earlier(next)?.id != node.id
      }
      for last in clusters[place].nodes where isLast(last) {
        let chain = Array(sequence(first: last, next: earlier))
        if chain.count >= Self.shortest { folded.fold(chain, in: place) }
      }
    }
    return folded
  }

  /// - Parameter chain: Its nodes, the last one first.
  private mutating func fold(_ chain: [Node], in place: Int) {
    let (last, first) = (chain[0], chain[chain.count - 1])
    let hidden = Set(chain.dropFirst().map(\.id))
    var node = last
    let names = chain.dropFirst().map(\.title)
    node.lines = names.prefix(Self.mostListed).map { Line(text: "← \($0)") }
    if names.count > Self.mostListed { node.lines.append(Line(text: "← \(names.count - Self.mostListed) more")) }
    node.folded = chain.dropFirst().map(\.id)
    node.isOnWay = chain.contains(where: \.isOnWay)
    clusters[place].nodes.removeAll { hidden.contains($0.id) }
    clusters[place].nodes = clusters[place].nodes.map { $0.id == last.id ? node : $0 }
    edges.removeAll { hidden.contains($0.from) }
    for index in edges.indices where edges[index].to == first.id {
      let edge = edges[index]
      edges[index] = Edge(from: edge.from, to: last.id, label: edge.label, kind: edge.kind, isOnWay: edge.isOnWay)
    }
  }
}
