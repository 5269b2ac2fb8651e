internal import JSON
internal import WireProtocol

extension Command {
  static let stats = Command(
    name: "stats", operands: "", summary: "show the statistics of the daemon",
    details: """
      Root, the daemon's user and the users in server.access.stats see the daemon and its signals, others their own
      connection. Metrics are not available to others.
      """,
    options: [
      Option(name: "prometheus", doc: "print metrics in the Prometheus text format"),
      Option(name: "openmetrics", doc: "print metrics in the OpenMetrics 1.0 text format"),
    ],
    examples: [
      Example("sudo signalbox stats", "the daemon and each signal"),
      Example(
        "signalbox stats --prometheus > /var/lib/node_exporter/signalbox.prom", "for the node exporter"),
    ]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    if invocation.has("openmetrics") { return try printMetrics(invocation, .openMetrics) }
    if invocation.has("prometheus") { return try printMetrics(invocation, .prometheus) }
    guard let answer = try invocation.ask(StatsRequest()) else { return }
    var table = Table("WHAT", "COUNT")
    for section in ["connection", "daemon", "signals", "connections"] {
      if case .object(let object)? = answer[section]?.value { add(object, section, to: &table) }
    }
    table.print(to: invocation.output)
  }

  /// An unreachable daemon is a metric as well: a collector may not see the exit status.
  private static func printMetrics(_ invocation: Invocation, _ format: MetricsText.Format) throws(CommandError) {
    let answer: ServerLine
    do {
      answer = try Connection(path: invocation.socketPath, output: invocation.output, echoesLines: false)
        .ask(StatsRequest(metrics: true))
    } catch {
      if error.status == .unreachable { invocation.output.text(Metrics.ofUnreachable(format)) }
      throw error
    }
    guard case .object(let daemon)? = answer["daemon"]?.value, case .object(let signals)? = answer["signals"]?.value
    else { throw CommandError.deniedCounts }
    let connections: JSONObject? = if case .object(let members)? = answer["connections"]?.value { members } else { nil }
    let declared: JSONObject? = if case .object(let members)? = answer["metrics"]?.value { members } else { nil }
    invocation.output.text(
      Metrics(daemon: daemon, signals: signals, connections: connections, declared: declared, format).text)
  }

  private static func add(_ object: JSONObject, _ name: String, to table: inout Table) {
    for member in object.members {
      if case .object(let inner) = member.value, let used = inner["used"], let limit = inner["limit"] {
        table.add("\(name) \(member.key)", "\(used.description) of \(limit.description)")
      } else if case .object(let inner) = member.value {
        add(inner, "\(name) \(member.key)", to: &table)
      } else {
        table.add("\(name) \(member.key)", member.value.description)
      }
    }
  }
}
