internal import JSON
internal import WireProtocol

extension Route {
  static let describeSignal = Route(
    methods: ["GET"], path: "/signals/{name}/declaration",
    summary: "Tells how a signal is declared, what it is computed from, and how it fares.",
    answers: [Answer(status: 200, doc: "as the protocol's describe has it", type: "application/json")],
    problems: ["unknown_signal", "denied"]
  ) { call throws(Problem) in
    try call.grant.requireRead(call.name)
    var request = DescribeRequest()
    request.signal = call.name
    if call.grant.seesStats { request.place = true }
    try call.ask(request) { answer throws(Problem) in
      var description = answer.object
      description["reply"] = nil
      description["id"] = nil
      // Names that may not be known stay unknown.
      for key in ["upstream", "downstream"] {
        description[key] = .array(answer.strings(key).filter(call.grant.knows).map { .string($0) })
      }
      call.respond(200, .object(description))
    }
  }
}
