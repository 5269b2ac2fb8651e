internal import JSON
internal import WireProtocol

extension Route {
  static let tellHealth = Route(
    methods: ["GET"], path: "/health", summary: "Tells whether the daemon answers.", access: .everybody,
    answers: [Answer(status: 200, doc: "it does", type: "application/json")],
    problems: ["unavailable"]
  ) { call throws(Problem) in
    try call.ask(PingRequest()) { (_) throws(Problem) in call.respond(200, ["status": "pass"]) }
    call.after(.seconds(5)) { call.respond(Problem(503, "unavailable", "the daemon does not answer")) }
  }
}
