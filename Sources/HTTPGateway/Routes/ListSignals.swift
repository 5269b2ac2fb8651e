internal import HTTPServer
internal import JSON
internal import WireProtocol

extension Route {
  static let listSignals = Route(
    methods: ["GET"], path: "/signals", summary: ListRequest.summary,
    parameters: [.field("pattern", of: ListRequest.self)],
    answers: [Answer(status: 200, doc: "the signals, as the protocol's list has them", type: "application/json")]
  ) { call throws(Problem) in
    var request = ListRequest()
    if let text = call.request.parameter("pattern") { request.pattern = try call.pattern(text, "pattern") }
    try call.ask(request) { answer throws(Problem) in
      let signals = answer.objects("signals").compactMap { signal($0, call.grant) }
      call.respond(200, ["signals": .array(signals)])
    }
  }

  /// A signal as one with these rights sees it; `nil` for one that is not to be seen.
  private static func signal(_ listed: JSONObject, _ grant: Grant) -> JSONValue? {
    let name = listed.text("signal")
    guard grant.knows(name) else { return nil }
    var signal = listed
    signal["send"] = .bool(listed["send"] == true && grant.sends.contains(name))
    signal["subscribe"] = .bool(listed["subscribe"] == true && grant.reads.contains(name))
    if !grant.reads.contains(name) { signal["ended"] = nil }
    return .object(signal)
  }
}
