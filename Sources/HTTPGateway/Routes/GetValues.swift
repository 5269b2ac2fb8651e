internal import JSON
internal import WireProtocol

extension Route {
  static let getValues = Route(
    methods: ["GET"], path: "/values", summary: ValuesRequest.summary,
    parameters: [
      .field("pattern", of: ValuesRequest.self, isRepeated: true), .field("history", of: ValuesRequest.self),
      .field("step", of: ValuesRequest.self),
      .query("extremes", "true: with step, also the lowest and the highest value of each interval"),
    ],
    answers: [
      Answer(
        status: 200,
        doc: "a list of {signal, time, value, number, unit, seq}, ordered by time: number is that of a number or a "
          + "boolean, else null",
        type: "application/json")
    ],
    problems: ["bad_request", "too_many"]
  ) { call throws(Problem) in
    var patterns: [SignalPattern?] = []
    for text in call.request.parameters("pattern") { patterns.append(try call.pattern(text, "pattern")) }
    if patterns.count > mostPatterns {
      throw Problem(400, ErrorCode.badRequest.rawValue, "a request has at most \(mostPatterns) patterns")
    }
    try ValueTable(call, patterns.isEmpty ? [nil] : patterns).begin()
  }

  private static let mostPatterns = 32
}

/// The values of signals as rows, for programs that draw tables and curves.
private final class ValueTable {
  private let call: RouteCall
  private let patterns: [SignalPattern?]
  private var rows: [(time: String, row: JSONValue)] = []
  /// The values seen, as patterns may overlap.
  private var seen: Set<String> = []
  private var missing: Int

  init(_ call: RouteCall, _ patterns: [SignalPattern?]) {
    self.call = call
    self.patterns = patterns
    missing = patterns.count
  }

  func begin() throws(Problem) {
    for pattern in patterns {
      var request = ValuesRequest()
      request.pattern = pattern
      request.history = try call.parameter("history")
      request.step = try call.parameter("step")
      request.extremes = try call.truth("extremes")
      try call.ask(request) { answer throws(Problem) in self.take(answer) }
    }
  }

  private func take(_ answer: ServerLine) {
    for sample in answer.objects("values") {
      let name = sample.text("signal")
      guard call.grant.reads.contains(name) else { continue }
      guard seen.insert("\(name) \(sample["seq"]?.description ?? "")").inserted else { continue }
      rows.append((sample.text("at"), Self.row(sample)))
    }
    missing -= 1
    if missing > 0 { return }
    // Times in one form are ordered as texts; the sort is stable for equal ones.
    let ordered = rows.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    call.respond(200, .array(ordered.map(\.element.row)))
  }

  private static func row(_ sample: JSONObject) -> JSONValue {
    let value = sample["value"] ?? .null
    var row: JSONObject = [
      "signal": sample["signal"] ?? .null, "time": sample["at"] ?? .null, "value": value, "number": value.plotted,
    ]
    if let unit = sample["unit"] { row["unit"] = unit }
    row["seq"] = sample["seq"] ?? .null
    return .object(row)
  }
}

extension JSONValue {
  /// The number that a curve shows: that of a number or a boolean, otherwise `null`.
  var plotted: JSONValue {
    switch plain {
    case .number: self
    case .bool(let isTrue): isTrue ? 1 : 0
    default: .null
    }
  }
}
