internal import JSON
internal import WireProtocol

extension Command {
  static let cluster = Command(
    name: "cluster", operands: "", summary: "show the nodes of the cluster and who runs each graph",
    details: """
      The nodes that this one hears, and the clustered graphs: the node that owns each, what this node does with it, the last
      record of its log, by how many records this node is behind, and the time of the last commit. For root and the
      daemon's own user.
      """,
    examples: [
      Example("sudo signalbox cluster", "nodes and owners")
    ]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    guard let answer = try invocation.ask(ClusterRequest()) else { return }
    var nodes = Table("NODE", "STATE", "VERSION", "HEARD")
    for node in members(of: answer["nodes"]?.value) {
      nodes.add([text(of: node["node"]), text(of: node["state"]), text(of: node["version"]), age(of: node)])
    }
    nodes.print(to: invocation.output)
    var graphs = Table("GRAPH", "OWNER", "STATE", "TERM", "SEQUENCE", "LAG", "COMMIT", "LAST COMMIT", "REASON")
    for graph in members(of: answer["graphs"]?.value) {
      let columns = ["graph", "owner", "state", "term", "sequence", "lag", "commit", "last_commit", "reason"]
      graphs.add(columns.map { text(of: graph[$0]) })
    }
    invocation.output.line("")
    graphs.print(to: invocation.output)
  }

  private static func age(of node: JSONObject) -> String {
    guard case .number(let age)? = node["age"]?.plain else { return "this node" }
    return "\((age * 10).rounded() / 10) s ago"
  }

  private static func members(of list: JSONValue?) -> [JSONObject] {
    guard case .array(let elements)? = list?.plain else { return [] }
    return elements.compactMap { if case .object(let object) = $0.plain { object } else { nil } }
  }

  private static func text(of value: JSONValue?) -> String {
    switch value?.plain {
    case .string(let text): text
    case nil: "-"
    case let value?: value.description
    }
  }
}
