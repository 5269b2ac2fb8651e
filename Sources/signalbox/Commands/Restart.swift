internal import WireProtocol

extension Command {
  static let restart = Command(
    name: "restart", operands: "SIGNAL|GRAPH", kinds: [.listed(.ended)], summary: "start a signal that has ended anew",
    examples: [
      Example("signalbox restart jobs.queue", "one signal"),
      Example("signalbox restart jobs", "every ended one of a graph"),
    ]
  ) { invocation throws(CommandError) in
    let name = try invocation.operands(1...1)[0]
    var request = RestartRequest()
    if name.contains(".") { request.signal = name } else { request.graph = name }
    _ = try invocation.ask(request)
  }
}
