internal import GraphModel
internal import JSON
internal import WireProtocol

extension Route {
  static let explainValue = Route(
    methods: ["GET"], path: "/signals/{name}/why",
    summary: "Explain a value of a durable graph, or its absence.",
    parameters: [
      .query("seq", "the sequence number of the value; default: the last one"),
      .query(
        "at", "the value held at that time: a timestamp such as 2026-05-01T12:00:00Z, or a duration ago such as 2h"),
      .query("depth", "depth to which other values read are followed, from 0 (default) to \(mostDepth)"),
      .query("not", "true: explain the absence of a value, at that time or now"),
    ],
    answers: [
      Answer(status: 200, doc: "the output of signalbox why --format json", type: "application/json")
    ],
    problems: [
      "unknown_signal", "no_value", "denied", "not_found", "busy", "storage", "timeout", "too_many", "failed",
      "unavailable",
    ]
  ) { call throws(Problem) in
    try call.grant.requireRead(call.name)
    try call.grant.requireStats(for: "the provenance of values")
    let run = try call.context.past.explain(try call.question()) { result in
      switch result {
      case .success(let explanation): call.answer(explanation)
      case .failure(let problem): call.respond(problem.redacted(to: call.grant, of: call.name))
      }
    }
    call.ended = { run.cancel() }
    call.exchange.endsWithClient = true
  }

  fileprivate static let mostDepth = 100
}

extension RouteCall {
  fileprivate func question() throws(Problem) -> PastReader.Question {
    var question = PastReader.Question(signal: name)
    question.number = try parameter("seq", "a sequence number") {
      UInt64($0).flatMap { 1...1 << 53 ~= $0 ? $0 : nil }
    }
    question.time = try parameter("at", "a timestamp such as 2026-05-01T12:00:00Z or a duration such as 2h") {
      RecordedTime($0) == nil ? nil : $0
    }
    let depths = 0...Route.mostDepth
    question.depth = try parameter("depth", "a number from 0 to \(Route.mostDepth)") {
      Int($0).flatMap { depths.contains($0) ? $0 : nil }
    }
    question.isAboutSilence = try parameter("not", "true or false") { Bool($0) } ?? false
    if question.isAboutSilence, question.number != nil || question.depth != nil {
      throw Problem(400, ErrorCode.badRequest.rawValue, "\"not\" cannot be combined with \"seq\" or \"depth\"")
    }
    if question.number != nil, question.time != nil {
      throw Problem(400, ErrorCode.badRequest.rawValue, "either \"seq\" or \"at\", not both")
    }
    return question
  }

  private func parameter<Value>(
    _ name: String, _ expectation: String, _ read: (String) -> Value?
  ) throws(Problem) -> Value? {
    guard let text = request.parameter(name) else { return nil }
    guard let value = read(text) else { throw .badParameter(name, text, expectation) }
    return value
  }

  /// Answers with an explanation, if the client may read every signal whose values it may show.
  fileprivate func answer(_ explanation: [UInt8]) {
    if grant.reads != .all {
      let value = try? JSONParser.value(onThisThread: explanation.span, maximumDepth: greatestMaximumDepth)
      guard case .object(let object)? = value, let names = ExplainedSignals.names(in: object),
        names.allSatisfy(grant.reads.contains)
      else {
        return respond(.denied("no permission to read all signals upstream of \(name.quoted)"))
      }
    }
    respond(HTTPResponse(200, headers: [("Content-Type", "application/json")], body: explanation))
  }
}

extension Problem {
  /// Returns the problem for clients with limited rights, without the program's message, which may name other signals.
  func redacted(to grant: Grant, of signal: String) -> Problem {
    switch ErrorCode(rawValue: code) {
    case _ where grant.reads == .all: self
    case .unknownSignal?: .unknownSignal(signal)
    case .storage?: Problem(status, code, "cannot read the history of \(signal.quoted)")
    default: self
    }
  }
}
