/// A diagram in the language of Mermaid, which many documentation sites render.
struct MermaidPicture {
  private let picture: Picture
  /// Mermaid's identifiers are plain words, so nodes are numbered.
  private var names: [String: String] = [:]

  init(picture: Picture) {
    self.picture = picture
    for node in picture.clusters.flatMap(\.nodes) { names[node.id] = "n\(names.count)" }
  }

  var text: String {
    var lines = ["flowchart LR"]
    for (index, cluster) in picture.clusters.enumerated() {
      lines.append("  subgraph g\(index)[\"\(Self.escaped(cluster.title))\"]")
      lines += cluster.nodes.map { "    \(name(of: $0.id))\(Self.shape(of: $0))" }
      lines.append("  end")
    }
    lines += picture.edges.map(line)
    let timed = picture.clusters.flatMap(\.nodes).filter { $0.lines.contains(where: \.isTimed) }
    if !timed.isEmpty {
      lines.append("  classDef timed stroke-width:3px")
      lines.append("  class \(timed.map { name(of: $0.id) }.joined(separator: ",")) timed")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func name(of id: String) -> String { names[id] ?? "unknown" }

  private func line(of edge: Picture.Edge) -> String {
    let arrow =
      switch edge.kind {
      case .value: "-->"
      case .side: "-.->"
      case .newTurn: "==>"
      }
    let label = edge.label.map { "|\"\(Self.escaped($0))\"|" } ?? ""
    return "  \(name(of: edge.from)) \(arrow)\(label) \(name(of: edge.to))"
  }

  private static func shape(of node: Picture.Node) -> String {
    let texts = [node.title] + node.lines.map(\.text)
    let label = "\"\(texts.filter { !$0.isEmpty }.map(escaped).joined(separator: "<br/>"))\""
    return switch node.shape {
    case .input: ">\(label)]"
    case .property: "[(\(label))]"
    case .source: "([\(label)])"
    case .derived, .outside: "[\(label)]"
    case .action: "[[\(label)]]"
    case .join: "{\(label)}"
    }
  }

  /// Replaces quotes and HTML's special characters by Mermaid's entities.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\"": escaped += "#quot;"
      case "#": escaped += "#35;"
      case "<": escaped += "#lt;"
      case ">": escaped += "#gt;"
      case "&": escaped += "#amp;"
      case "\n": escaped += "<br/>"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
