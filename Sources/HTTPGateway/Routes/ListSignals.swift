internal import JSON
internal import WireProtocol

extension Route {
  static let listSignals = Route(
    methods: ["GET"], path: "/signals", summary: ListRequest.summary,
    parameters: [.field("pattern", of: ListRequest.self)],
    answers: [
      Answer(
        status: 200,
        doc:
          "the answer of list; past is true if /history has its values, call if the action of a signal may be called",
        type: "application/json")
    ]
  ) { call throws(Problem) in
    var request = ListRequest()
    if let text = call.request.parameter("pattern") { request.pattern = try call.pattern(text, "pattern") }
    var past: PastSignals?
    if call.context.past.isOffered {
      try call.ask(HelloRequest()) { hello throws(Problem) in past = PastSignals(call.context, after: hello) }
    }
    try call.ask(request) { answer throws(Problem) in
      let signals = answer.objects("signals").compactMap { signal($0, call.grant, past) }
      call.respond(200, ["signals": .array(signals)])
    }
  }

  /// Returns a signal as a client with these rights sees it; `nil` if it is hidden.
  private static func signal(_ listed: JSONObject, _ grant: Grant, _ past: PastSignals?) -> JSONValue? {
    let name = listed.text("signal")
    let action = listed["kind"] == "action" ? String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)) : nil
    let isCallable = action.map(grant.calls.contains) ?? false
    guard grant.knows(name) || isCallable else { return nil }
    var signal = grant.redacted(listed)
    if action != nil { signal["call"] = .bool(isCallable) }
    signal["send"] = .bool(listed["send"] == true && grant.sends.contains(name))
    signal["subscribe"] = .bool(listed["subscribe"] == true && grant.reads.contains(name))
    if !grant.reads.contains(name) {
      for key in ["ended", "refused", "away", "calls", "failure"] { signal[key] = nil }
      if case .object(let severity)? = listed["severity"] { signal["severity"] = ["level": severity["level"] ?? .null] }
    }
    if grant.reads.contains(name), past?.contains(name) == true { signal["past"] = true }
    return .object(signal)
  }
}
