internal import WireProtocol

extension Command {
  static let restart = Command(
    name: "restart", operands: "SIGNAL|GRAPH", kinds: [.listed(.ended)], summary: "restart an ended signal",
    examples: [
      Example("signalbox restart jobs.queue", "one signal"),
      Example("signalbox restart jobs", "all ended signals of a graph"),
    ]
  ) { invocation throws(CommandError) in
    let name = try invocation.operands(1...1)[0]
    var request = RestartRequest()
    if name.contains(".") { request.signal = name } else { request.graph = name }
    _ = try invocation.ask(request)
  }
}
