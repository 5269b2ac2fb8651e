internal import JSON
internal import WireProtocol

extension Route {
  static let readMetrics = Route(
    methods: ["GET"], path: "/metrics",
    summary: "Return the metrics of the daemon, its signals and the gateway, for Prometheus.",
    answers: [Answer(status: 200, doc: "the metrics", type: OpenMetricsAnswer.type)],
    problems: ["denied"]
  ) { call throws(Problem) in
    try call.grant.requireStats()
    do throws(Problem) {
      try call.ask(StatsRequest(metrics: true)) { answer throws(Problem) in
        guard case .object(let daemon)? = answer["daemon"]?.value, case .object(let signals)? = answer["signals"]?.value
        else {
          throw .denied("the daemon denies its statistics to the user of this program: see server.access.stats")
        }
        let connections: JSONObject? =
          if case .object(let members)? = answer["connections"]?.value { members } else { nil }
        OpenMetricsAnswer.respond(
          Metrics(
            daemon: daemon, signals: signals, connections: connections, declared: declared(answer, call.grant),
            .openMetrics
          ).text, call)
      }
    } catch {
      // An unreachable daemon is a metric as well.
      guard error.code == "unavailable" else { throw error }
      OpenMetricsAnswer.respond(Metrics.ofUnreachable(.openMetrics), call)
    }
  }
}

extension Route {
  /// Returns the metrics of the signals that a client may read.
  private static func declared(_ answer: ServerLine, _ grant: Grant) -> JSONObject? {
    guard case .object(var metrics)? = answer["metrics"]?.value, case .array(let families)? = metrics["families"]?.plain
    else { return nil }
    metrics["families"] = .array(
      families.filter { family in
        guard case .object(let members) = family.plain else { return false }
        return grant.reads.contains(members.text("signal"))
      })
    return metrics
  }
}

/// A response in the text format of OpenMetrics 1.0.
private enum OpenMetricsAnswer {
  static let type = "application/openmetrics-text; version=1.0.0; charset=utf-8"

  /// Adds the gateway's own counters to the daemon's metrics.
  static func respond(_ text: String, _ call: RouteCall) {
    var own = MetricsText(.openMetrics)
    own.begin(answers)
    for (status, count) in call.context.counts.answers.sorted(by: { $0.key < $1.key }) {
      own.add(answers, .number(Double(count)), ["status": "\(status)"])
    }
    own.begin(connections)
    own.add(connections, .number(Double(call.context.connections())))
    own.begin(streams)
    own.add(streams, .number(Double(call.context.counts.streams)))
    let daemons = text.hasSuffix("# EOF\n") ? String(text.dropLast(6)) : text
    call.respond(HTTPResponse(200, type: type, daemons + own.text))
  }

  private static let answers = Metric(
    key: "", name: "http_answers", kind: .counter, help: "Responses of the gateway by status.")
  private static let connections = Metric(
    key: "", name: "http_connections", kind: .gauge, help: "Connections to the gateway.")
  private static let streams = Metric(
    key: "", name: "http_streams", kind: .gauge, help: "Open event streams.")
}
