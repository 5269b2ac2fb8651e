internal import HTTPServer
internal import JSON
internal import SignalGraph
internal import WireProtocol

extension Route {
  static let explainValue = Route(
    methods: ["GET"], path: "/signals/{name}/why",
    summary: "Explains how a value of a durable graph came about, or why none came.",
    parameters: [
      .query("seq", "the number of the value; the last one without it and without at"),
      .query("at", "the value that it held then: a moment such as 2026-05-01T12:00:00Z, or so long ago such as 2h"),
      .query("depth", "follow what was read besides so many steps back, from 0 (default) to \(mostDepth)"),
      .query("not", "true: tell why nothing came around the time that at gives"),
    ],
    answers: [
      Answer(status: 200, doc: "as signalbox why --format json tells it", type: "application/json")
    ],
    problems: [
      "unknown_signal", "no_value", "denied", "not_found", "busy", "storage", "timeout", "too_many", "failed",
      "unavailable",
    ]
  ) { call throws(Problem) in
    try call.grant.requireRead(call.name)
    try call.grant.requireStats(for: "how values came about")
    let run = try call.context.past.explain(try call.question()) { result in
      switch result {
      case .success(let explanation): call.answer(explanation)
      case .failure(let problem): call.respond(problem.told(to: call.grant, of: call.name))
      }
    }
    call.ended = { run.cancel() }
    call.exchange.endsWithClient = true
  }

  fileprivate static let mostDepth = 100
}

extension RouteCall {
  fileprivate func question() throws(Problem) -> PastExplainer.Question {
    var question = PastExplainer.Question(signal: name)
    question.number = try parameter("seq", "the number of a value") {
      UInt64($0).flatMap { 1...1 << 53 ~= $0 ? $0 : nil }
    }
    question.time = try parameter("at", "a moment such as 2026-05-01T12:00:00Z or a duration such as 2h") {
      RecordedTime($0) == nil ? nil : $0
    }
    let depths = 0...Route.mostDepth
    question.depth = try parameter("depth", "a number from 0 to \(Route.mostDepth)") {
      Int($0).flatMap { depths.contains($0) ? $0 : nil }
    }
    question.isAboutSilence = try parameter("not", "true or false") { Bool($0) } ?? false
    if question.isAboutSilence, question.time == nil || question.number != nil || question.depth != nil {
      throw Problem(400, ErrorCode.badRequest.rawValue, "with \"not\" goes \"at\", and neither \"seq\" nor \"depth\"")
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

  /// Answers with an explanation, if every signal may be read whose values it may show.
  fileprivate func answer(_ explanation: [UInt8]) {
    if grant.reads != .all {
      let value = try? JSONParser.value(onThisThread: explanation.span, maximumDepth: greatestMaximumDepth)
      guard case .object(let object)? = value, let names = ExplainedSignals.names(in: object),
        names.allSatisfy(grant.reads.contains)
      else {
        return respond(.denied("this token may not read all signals that \(name.quoted) was computed from"))
      }
    }
    respond(HTTPResponse(200, headers: [("Content-Type", "application/json")], body: explanation))
  }
}

extension Problem {
  /// For those who may not read everything, without the program's words, which may name other signals.
  fileprivate func told(to grant: Grant, of signal: String) -> Problem {
    switch ErrorCode(rawValue: code) {
    case _ where grant.reads == .all: self
    case .unknownSignal?: .unknownSignal(signal)
    case .storage?: Problem(status, code, "the past of \(signal.quoted) cannot be told")
    default: self
    }
  }
}
