internal import JSON
internal import WireProtocol

extension Command {
  static let cluster = Command(
    name: "cluster", operands: "[test]", kinds: [.word(["test"])],
    summary: "show the nodes of the cluster and who runs each graph, or test its servers",
    details: """
      The nodes that this one hears, and the clustered graphs: the node that owns each, what this node does with it, the last
      record of its log, by how many records this node is behind, and the time of the last commit. For root and the
      daemon's own user.

      test checks within 10 s that the servers of server.cluster.connection do what clusters rest on, and reports their
      version, as far as they tell it, and when they sync files. It needs no daemon: signalbox-bridge, which is beside this
      program, makes three connections, and a stream that the test removes. The status is 1 if something does not hold.
      """,
    options: [
      Option(
        name: "config", letter: "c", argument: "PATH", doc: "with test: the configuration, read as the daemon does",
        kind: .configuration),
      Option(
        name: "format", argument: "FORMAT", doc: "with test: text (default) or json", kind: .word(["text", "json"])),
    ],
    examples: [
      Example("sudo signalbox cluster", "nodes and owners"),
      Example("signalbox cluster test --config signalbox.yaml", "test the servers"),
    ]
  ) { invocation throws(CommandError) in
    switch try invocation.operands(0...1).first {
    case nil: try show(invocation)
    case "test": try ClusterTrial.run(invocation)
    case let word?: throw .usage("unknown subcommand cluster \(word); known: test")
    }
  }

  private static func show(_ invocation: Invocation) throws(CommandError) {
    for option in ["config", "format"] where invocation.has(option) {
      throw .usage("--\(option) requires cluster test")
    }
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
