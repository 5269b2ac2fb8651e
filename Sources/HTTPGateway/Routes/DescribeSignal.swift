internal import GraphModel
internal import JSON
internal import WireProtocol

extension Route {
  static let describeSignal = Route(
    methods: ["GET"], path: "/signals/{name}/declaration",
    summary: "Return the declaration, upstream signals and state of a signal.",
    answers: [
      Answer(
        status: 200, doc: "the answer of describe; why is true if its values can be explained here",
        type: "application/json")
    ],
    problems: ["unknown_signal", "denied"]
  ) { call throws(Problem) in
    try call.grant.requireRead(call.name)
    var request = DescribeRequest()
    request.signal = call.name
    if call.grant.seesStats { (request.place, request.text) = (true, true) }
    var isExplained = false
    if call.mayExplain {
      try call.ask(HelloRequest()) { hello throws(Problem) in
        isExplained = PastSignals(call.context, after: hello).contains(call.name)
      }
    }
    try call.ask(request) { answer throws(Problem) in
      var description = call.grant.redacted(answer.object)
      description["reply"] = nil
      description["id"] = nil
      // Names that are hidden from the client are removed.
      for key in ["upstream", "downstream"] {
        description[key] = .array(answer.strings(key).filter(call.grant.knows).map { .string($0) })
      }
      let named = answer.strings("upstream") + (description["declaration"]?.targets(of: call.name) ?? [])
      let called = description["declaration"]?.calledActions(of: call.name) ?? []
      if !named.allSatisfy(call.grant.knows) || !called.allSatisfy(call.grant.knowsAction) {
        description["declaration"] = .null
        description["text"] = nil
      }
      if isExplained { description["why"] = true }
      call.respond(200, .object(description))
    }
  }
}

extension RouteCall {
  fileprivate var mayExplain: Bool { context.past.isOffered && grant.seesStats }
}

extension JSONValue {
  /// Returns the full names of the signals that a declaration sends values to.
  ///
  /// - Parameter signal: The declared signal.
  fileprivate func targets(of signal: String) -> [String] {
    values(of: ["send_to", "dead_letter"]).compactMap { $0.name(beside: signal) }
  }

  /// Returns the full names of the actions that a declaration calls.
  fileprivate func calledActions(of signal: String) -> [String] {
    values(of: ["call"]).compactMap { call in
      if case .object(let members) = call.plain { return members["action"]?.name(beside: signal) }
      return call.name(beside: signal)
    }
  }

  /// Returns the values of all members with these keys, at any depth.
  private func values(of keys: [String]) -> [JSONValue] {
    switch plain {
    case .object(let object):
      object.members.flatMap { (keys.contains($0.key) ? [$0.value] : []) + $0.value.values(of: keys) }
    case .array(let values): values.flatMap { $0.values(of: keys) }
    default: []
    }
  }

  private func name(beside signal: String) -> String? {
    guard case .string(let name) = plain else { return nil }
    return name.contains(".") ? name : "\(SignalName.graph(of: signal)).\(name)"
  }
}
