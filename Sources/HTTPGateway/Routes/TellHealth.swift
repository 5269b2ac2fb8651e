import JSON
internal import WireProtocol

extension Route {
  static let reportHealth = Route(
    methods: ["GET"], path: "/health", summary: "Check that the daemon answers.", access: .open,
    answers: [Answer(status: 200, doc: "it does", type: "application/json")],
    problems: ["unavailable"]
  ) { call throws(Problem) in
    try call.ask(PingRequest()) { (_) throws(Problem) in call.respond(200, ["status": "pass"]) }
    call.after(.seconds(5)) { call.respond(Problem(503, "unavailable", "no answer from the daemon")) }
  }
}
