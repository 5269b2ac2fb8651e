internal import JSON
internal import WireProtocol

extension Route {
  /// The most bytes of an action's outputs to collect.
  static let mostOutput = 4 << 20

  static let callAction = Route(
    methods: ["POST"], path: "/actions/{name}",
    summary: "Run an action and return its outputs; disconnecting stops it.",
    body: Body(type: "application/json", doc: "the value for its standard input; may be empty"),
    answers: [Answer(status: 200, doc: "{\"outputs\": […]}", type: "application/json")],
    problems: ["unknown_action", "disabled", "busy", "failed", "timeout", "denied", "bad_json"]
  ) { call throws(Problem) in
    try call.grant.requireCall(call.name)
    var request = CallRequest()
    request.action = call.name
    if !call.request.body.isEmpty { request.value = .value(try call.value()) }
    var outputs: [JSONValue] = []
    var size = 0
    call.event = { line throws(Problem) in
      guard let output = line["value"], line["call"] != nil else { return }
      size += output.count
      if size > Self.mostOutput {
        throw Problem(502, ErrorCode.tooMany.rawValue, "the output of the action exceeds \(Self.mostOutput) bytes")
      }
      outputs.append(output.value)
    }
    let refusal = { (line: ServerLine) throws(Problem) in
      var problem = Problem(line)
      if !outputs.isEmpty { problem.members["outputs"] = .array(outputs) }
      throw problem
    }
    try call.ask(request, orElse: refusal) { (_) throws(Problem) in call.respond(200, ["outputs": .array(outputs)]) }
    call.exchange.endsWithClient = true
    // Actions have their own timeout.
    call.after(.seconds(86400)) { call.respond(.timeout) }
  }
}
