internal import Base
internal import JSON
internal import WireProtocol

extension Route {
  static let getHistory = Route(
    methods: ["GET"], path: "/history",
    summary: "Return the values of signals of durable graphs over a period, beyond those that are retained.",
    parameters: [
      .query("signal", "the full name of a signal", isRequired: true, isRepeated: true),
      .query("period", "the length of the period up to now, such as 6h; at most 7d", isRequired: true),
      .query(
        "step", "the last value of each such interval; default: \(mostIntervals) intervals, the most that there may be"),
      .query("extremes", "true: also the lowest and the highest value of each interval"),
    ],
    answers: [
      Answer(
        status: 200,
        doc:
          "values, a list of {signal, time, value, number, seq}, of ends with event, ordered by time; from, where the "
          + "record begins; shortage, if that is later than asked: history or time; pauses, the times without records "
          + "before a start of the daemon",
        type: "application/json")
    ],
    problems: [
      "bad_request", "unknown_signal", "denied", "not_found", "busy", "storage", "timeout", "too_many", "failed",
      "unavailable",
    ]
  ) { call throws(Problem) in
    let names = call.request.parameters("signal")
    guard 1...mostSignals ~= names.count else {
      throw Problem(400, ErrorCode.badRequest.rawValue, "a request names 1 to \(mostSignals) signals")
    }
    for name in names { try call.grant.requireRead(name) }
    let period: Interval? = try call.parameter("period")
    guard let length = period?.duration, length <= .seconds(7 * 86_400) else {
      throw .badParameter("period", period?.text ?? "", "a duration up to 7d")
    }
    let least = max(.milliseconds(1), length / mostIntervals)
    let step: Interval? = try call.parameter("step")
    guard (step?.duration ?? least) >= least else {
      throw .badParameter("step", step?.text ?? "", "at most \(mostIntervals) intervals")
    }
    let question = PastReader.Span(
      signals: names, length: length, step: step?.duration ?? least, keepsExtremes: try call.truth("extremes") ?? false)
    try call.whenReadable(Set(names)) { () throws(Problem) in
      let run = try call.context.past.values(question) { result in
        switch result {
        case .success(let lines): call.respond(200, PastRows(lines).answer)
        case .failure(let problem): call.respond(problem.redacted(to: call.grant, of: names.joined(separator: ", ")))
        }
      }
      call.ended = { run.cancel() }
      call.exchange.endsWithClient = true
    }
  }

  private static let mostSignals = 8
  private static let mostIntervals = 600
}

extension RouteCall {
  /// Continues if the daemon lets the gateway read all of these signals: access is that of the present configuration.
  fileprivate func whenReadable(_ names: Set<String>, _ then: @escaping () throws(Problem) -> Void) throws(Problem) {
    try ask(ListRequest()) { answer throws(Problem) in
      let readable = answer.objects("signals").filter { $0["subscribe"] == true }.map { $0.text("signal") }
      if let hidden = names.subtracting(readable).min() { throw .unknownSignal(hidden) }
      try then()
    }
  }
}

/// The lines of `signalbox history --values` as the rows of an answer.
private struct PastRows {
  private var values: [JSONValue] = []
  private var pauses: [JSONValue] = []
  private var others = JSONObject()

  init(_ lines: [UInt8]) {
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let value = try? JSONParser.value(onThisThread: Array(line).span, maximumDepth: greatestMaximumDepth)
      if case .object(let members)? = value { take(members) }
    }
  }

  private mutating func take(_ line: JSONObject) {
    let time = line["at"] ?? .null
    switch line.text("event") {
    case "begin":
      others["from"] = time
      if let shortage = line["shortage"] { others["shortage"] = shortage }
    case "pause": pauses.append(["from": time, "until": line["until"] ?? .null])
    case "next":
      let value = line["value"] ?? .null
      values.append([
        "signal": line["signal"] ?? .null, "time": time, "value": value, "number": value.plotted,
        "seq": line["seq"] ?? .null,
      ])
    default: values.append(["signal": line["signal"] ?? .null, "time": time, "event": line["event"] ?? .null])
    }
  }

  var answer: JSONValue {
    var answer: JSONObject = ["values": .array(values), "pauses": .array(pauses)]
    for member in others.members { answer[member.key] = member.value }
    return .object(answer)
  }
}
