/// A diagram in Graphviz's language.
struct DOTPicture {
  let picture: Picture

  var text: String {
    var lines = [
      "digraph signalbox {", "  rankdir=LR", "  fontname=\"sans-serif\"",
      "  node [fontname=\"sans-serif\", fontsize=11, shape=box, style=\"rounded,filled\", fillcolor=white]",
      "  edge [fontname=\"sans-serif\", fontsize=9]",
    ]
    for (index, cluster) in picture.clusters.enumerated() { lines += Self.lines(of: cluster, index) }
    lines += picture.edges.map(Self.line)
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }

  private static func lines(of cluster: Picture.Cluster, _ index: Int) -> [String] {
    let label = [cluster.title, cluster.documentation].compactMap(\.self).joined(separator: "\n")
    return ["  subgraph cluster_\(index) {", "    label=\(quoted(label))", "    style=rounded", "    color=gray60"]
      + cluster.nodes.map(line) + ["  }"]
  }

  private static func line(of node: Picture.Node) -> String {
    let texts = [node.title] + node.lines.map(\.text)
    var attributes = ["label=\(quoted(texts.filter { !$0.isEmpty }.joined(separator: "\n")))"]
    switch node.shape {
    case .input: attributes += ["shape=cds", "style=filled", "fillcolor=\"#dcecff\""]
    case .property: attributes += ["shape=cylinder", "style=filled", "fillcolor=\"#dcecff\""]
    case .source: attributes += ["shape=ellipse", "style=filled", "fillcolor=\"#e6f5dc\""]
    case .action: attributes += ["shape=component", "style=filled", "fillcolor=\"#ffe9d6\""]
    case .join: attributes += ["shape=diamond", "style=filled", "fillcolor=\"#fff6cc\"", "fontsize=9"]
    case .outside: attributes.append("style=dashed")
    case .derived: break
    }
    if node.lines.contains(where: \.isTimed) { attributes.append("penwidth=2") }
    if node.isPrivate { attributes.append("color=gray60") }
    if let documentation = node.documentation { attributes.append("tooltip=\(quoted(documentation))") }
    return "    \(quoted(node.id)) [\(attributes.joined(separator: ", "))]"
  }

  private static func line(of edge: Picture.Edge) -> String {
    var attributes = edge.label.map { ["label=\(quoted($0))"] } ?? []
    switch edge.kind {
    case .value: break
    case .side: attributes.append("style=dashed")
    case .newTurn: attributes += ["style=bold", "arrowhead=vee", "constraint=false"]
    }
    let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
    return "  \(quoted(edge.from)) -> \(quoted(edge.to))\(list)"
  }

  /// Doubles backslashes too: `\N` and the like have a meaning in labels.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text {
      switch character {
      case "\"", "\\": quoted += "\\\(character)"
      case "\n": quoted += "\\n"
      default: quoted.append(character)
      }
    }
    return quoted + "\""
  }
}
