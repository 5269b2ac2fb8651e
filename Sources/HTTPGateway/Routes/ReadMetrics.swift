internal import DaemonMetrics
internal import HTTPServer
internal import JSON
internal import WireProtocol

extension Route {
  static let readMetrics = Route(
    methods: ["GET"], path: "/metrics",
    summary: "Tells the counts of the daemon, of its signals and of the gateway, for Prometheus.",
    answers: [Answer(status: 200, doc: "the metrics", type: OpenMetricsAnswer.type)],
    problems: ["denied"]
  ) { call throws(Problem) in
    try call.grant.requireStats()
    do throws(Problem) {
      try call.ask(StatsRequest()) { answer throws(Problem) in
        guard case .object(let daemon)? = answer["daemon"]?.value, case .object(let signals)? = answer["signals"]?.value
        else {
          throw .denied("the daemon does not show its counts to this program's user: see server.access.stats")
        }
        OpenMetricsAnswer.respond(Metrics(daemon: daemon, signals: signals, .openMetrics).text, call)
      }
    } catch {
      // That the daemon cannot be reached is a metric as well.
      guard error.code == "unavailable" else { throw error }
      OpenMetricsAnswer.respond(Metrics.ofUnreachable(.openMetrics), call)
    }
  }
}

/// An answer in the text format of OpenMetrics 1.0.
private enum OpenMetricsAnswer {
  static let type = "application/openmetrics-text; version=1.0.0; charset=utf-8"

  /// Adds the gateway's own counts to those of the daemon.
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
    key: "", name: "http_answers", kind: .counter, help: "Answers of the gateway by status.")
  private static let connections = Metric(
    key: "", name: "http_connections", kind: .gauge, help: "Connections with the gateway.")
  private static let streams = Metric(
    key: "", name: "http_streams", kind: .gauge, help: "Streams of events that are open.")
}
