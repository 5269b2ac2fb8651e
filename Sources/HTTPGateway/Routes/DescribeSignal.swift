internal import JSON
internal import SignalGraph
internal import WireProtocol

extension Route {
  static let describeSignal = Route(
    methods: ["GET"], path: "/signals/{name}/declaration",
    summary: "Tells how a signal is declared, what it is computed from, and how it fares.",
    answers: [
      Answer(
        status: 200, doc: "as the protocol's describe has it; why is true where its values can be explained here",
        type: "application/json")
    ],
    problems: ["unknown_signal", "denied"]
  ) { call throws(Problem) in
    try call.grant.requireRead(call.name)
    var request = DescribeRequest()
    request.signal = call.name
    if call.grant.seesStats { request.place = true }
    var isExplained = false
    if call.mayExplain {
      try call.ask(HelloRequest()) { hello throws(Problem) in isExplained = call.isDurable(after: hello) }
    }
    try call.ask(request) { answer throws(Problem) in
      var description = answer.object
      description["reply"] = nil
      description["id"] = nil
      // Names that may not be known stay unknown.
      for key in ["upstream", "downstream"] {
        description[key] = .array(answer.strings(key).filter(call.grant.knows).map { .string($0) })
      }
      if isExplained { description["why"] = true }
      call.respond(200, .object(description))
    }
  }
}

extension RouteCall {
  fileprivate var mayExplain: Bool { context.past.isOffered && grant.seesStats }

  /// Whether the signal is durable, as far as that is known: the configuration may be closed to this program.
  fileprivate func isDurable(after hello: ServerLine) -> Bool {
    let configuration = try? context.picture.configuration(
      generation: hello.number("generation") ?? 0, epoch: hello.string("epoch") ?? "")
    return configuration.map { $0.durableNames.contains(name) } ?? true
  }
}
