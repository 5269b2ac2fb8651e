internal import GraphModel
internal import GraphTools
internal import JSON
internal import WireProtocol

extension Route {
  static let drawGraph = Route(
    methods: ["GET"], path: "/graph.svg",
    summary: "Draw the graphs of the configuration, as signalbox graph --format svg does.",
    parameters: [
      .query("only", "draw only this graph; may be repeated", isRepeated: true),
      .query("fold", "chains, to draw signals in a row, each computed from the one before alone, as one"),
    ],
    answers: [
      Answer(
        status: 200, doc: "the graphs that are readable entirely; private signals only with stats",
        type: "image/svg+xml")
    ],
    problems: ["unknown_graph", "bad_config"]
  ) { call throws(Problem) in
    try call.ask(HelloRequest()) { hello throws(Problem) in
      try call.ask(ListRequest()) { list throws(Problem) in
        let configuration = try call.context.picture.configuration(
          generation: hello.number("generation") ?? 0, epoch: hello.string("epoch") ?? "")
        try draw(configuration, list, for: call)
      }
    }
  }

  private static func draw(
    _ configuration: Configuration, _ list: ServerLine, for call: RouteCall
  ) throws(Problem) {
    let readable = list.objects("signals").filter { $0["subscribe"] == true }.map { $0.text("signal") }
    var names = GraphPicture.readable(configuration, Set(readable.filter(call.grant.reads.contains)))
    let only = call.request.parameters("only")
    for name in only where !names.contains(name) {
      throw Problem(404, ErrorCode.unknownGraph.rawValue, "no graph \(name.quoted)")
    }
    if !only.isEmpty { names = Set(only) }
    let fold = call.request.parameter("fold")
    if let fold, fold != "chains" { throw .badParameter("fold", fold, "chains") }
    let visible = visibleNames(configuration, list, to: call.grant, of: names)
    // An empty list would select all graphs.
    let text =
      names.isEmpty
      ? emptyPicture
      : configuration.picture(
        as: .svg, of: names, showing: visible.contains, foldsChains: fold != nil)
    call.respond(
      HTTPResponse(
        200, type: "image/svg+xml", text,
        // Scripts in a picture are disabled, whatever its texts contain.
        headers: [("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")]))
  }

  /// Returns the names of signals and actions that a client may know, also those that graphs to be drawn only mention.
  private static func visibleNames(
    _ configuration: Configuration, _ list: ServerLine, to grant: Grant, of graphs: Set<String>
  ) -> Set<String> {
    var names = Set(list.objects("signals").map { $0.text("signal") }.filter(grant.knows))
    for graph in configuration.graphs {
      if grant.seesStats && graphs.contains(graph.name) { names.formUnion(graph.signals.map(\.name)) }
      for action in graph.actions.map(\.name)
      where grant.calls.contains(action)
        || ActionSignal.visible.contains(where: { names.contains($0.name(of: action)) })
      {
        names.insert(action)
      }
    }
    return names
  }

  private static let emptyPicture = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\"/>\n"
}
