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
      var description = answer.object
      description["reply"] = nil
      description["id"] = nil
      // Names that are hidden from the client are removed.
      for key in ["upstream", "downstream"] {
        description[key] = .array(answer.strings(key).filter(call.grant.knows).map { .string($0) })
      }
      let named = answer.strings("upstream") + (description["declaration"]?.targets(of: call.name) ?? [])
      if !named.allSatisfy(call.grant.knows) {
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
  /// Returns the full names of the signals and actions that a declaration sends values to.
  ///
  /// - Parameter signal: The declared signal.
  fileprivate func targets(of signal: String) -> [String] {
    switch plain {
    case .object(let object):
      object.members.flatMap { member in
        ["send_to", "call"].contains(member.key)
          ? member.value.target(beside: signal).map { [$0] } ?? [] : member.value.targets(of: signal)
      }
    case .array(let values): values.flatMap { $0.targets(of: signal) }
    default: []
    }
  }

  private func target(beside signal: String) -> String? {
    switch plain {
    case .string(let name): name.contains(".") ? name : "\(SignalName.graph(of: signal)).\(name)"
    case .object(let object): object["action"]?.target(beside: signal)
    default: nil
    }
  }
}
