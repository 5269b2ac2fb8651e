import GraphModel

/// Renders a diagram for a terminal: a tree with each node above those that it drives; a repeated node is only named.
struct TextPicture {
  private let edges: [String: [Picture.Edge]]
  private let nodes: [String: Picture.Node]
  private let picture: Picture

  init(picture: Picture) {
    self.picture = picture
    edges = Dictionary(grouping: picture.edges, by: \.from)
    let all = picture.clusters.flatMap(\.nodes).map { ($0.id, $0) }
    nodes = Dictionary(all, uniquingKeysWith: { first, _ in first })
  }

  var lines: [MarkedText] {
    let driven = Set(picture.edges.filter { $0.kind != .newTurn }.map(\.to))
    var lines: [MarkedText] = []
    var shown: Set<String> = []
    for (index, cluster) in picture.clusters.enumerated() {
      if index > 0 { lines.append("") }
      lines.append(MarkedText(cluster.title, .title))
      for node in cluster.nodes where !driven.contains(node.id) { add(node, "  ", "  ", to: &lines, &shown) }
      // The remaining nodes are in a cycle.
      for node in cluster.nodes where !shown.contains(node.id) && !isElsewhere(node, driven) {
        add(node, "  ", "  ", to: &lines, &shown)
      }
    }
    return lines
  }

  /// Returns true if the tree of a graph shows the node, which may be another graph's.
  private func isElsewhere(_ node: Picture.Node, _ driven: Set<String>) -> Bool {
    var open = [node.id]
    var seen: Set<String> = []
    let before = Dictionary(grouping: picture.edges.filter { $0.kind != .newTurn }, by: \.to)
    while let id = open.popLast() {
      guard seen.insert(id).inserted else { continue }
      if !driven.contains(id) { return true }
      open += (before[id] ?? []).map(\.from)
    }
    return false
  }

  private func add(
    _ node: Picture.Node, _ head: String, _ below: String, to lines: inout [MarkedText], _ shown: inout Set<String>
  ) {
    let isKnown = !shown.insert(node.id).inserted
    lines.append(MarkedText(head) + text(of: node, isKnown: isKnown))
    if isKnown { return }
    let further = edges[node.id] ?? []
    for (index, edge) in further.enumerated() {
      guard let next = nodes[edge.to] else { continue }
      let isLast = index == further.count - 1
      let label = edge.label.map { "\($0) " } ?? ""
      let arrow = (isLast ? "└" : "├") + Self.arrow(edge.kind) + label
      if edge.kind == .newTurn {
        lines.append(MarkedText(below + arrow) + MarkedText(next.id, .title))
      } else {
        add(next, below + arrow, below + (isLast ? "    " : "│   "), to: &lines, &shown)
      }
    }
  }

  private static func arrow(_ kind: Picture.Edge.Kind) -> String {
    switch kind {
    case .value: "─▶ "
    case .side: "┄▶ "
    case .newTurn: "━▶ "
    }
  }

  /// Returns the name of the signal that declares a join.
  private func owner(of node: Picture.Node) -> String {
    let id = String(node.id.prefix { $0 != "/" })
    return nodes[id]?.title ?? id
  }

  private func text(of node: Picture.Node, isKnown: Bool) -> MarkedText {
    let rest = node.lines.map(\.text).joined(separator: " → ")
    let title = node.shape == .join ? "\(node.title) for \(owner(of: node))" : node.title
    let name = MarkedText(title, .title)
    if isKnown { return (title.isEmpty ? MarkedText(rest) : name) + MarkedText("  (above)", .aside) }
    if title.isEmpty || rest.isEmpty { return name + MarkedText(rest) }
    return name + MarkedText("  \(rest)")
  }
}
