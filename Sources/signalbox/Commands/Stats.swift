internal import DaemonMetrics
internal import JSON
internal import WireProtocol

extension Command {
  static let stats = Command(
    name: "stats", operands: "", summary: "show what the daemon has counted",
    details: """
      Root, the daemon's own user and those whom server.access.stats names see the daemon and its signals, others their own
      connection. As metrics there is nothing for others.
      """,
    options: [
      Option(name: "prometheus", doc: "as metrics, in the text format of Prometheus"),
      Option(name: "openmetrics", doc: "the same in that of OpenMetrics 1.0"),
    ],
    examples: [
      Example("sudo signalbox stats", "the daemon and each signal"),
      Example(
        "signalbox stats --prometheus > /var/lib/node_exporter/signalbox.prom", "for the node exporter to collect"),
    ]
  ) { invocation throws(CommandError) in
    _ = try invocation.operands(0...0)
    if invocation.has("openmetrics") { return try printMetrics(invocation, .openMetrics) }
    if invocation.has("prometheus") { return try printMetrics(invocation, .prometheus) }
    guard let answer = try invocation.ask(StatsRequest()) else { return }
    var table = Table("WHAT", "COUNT")
    for section in ["connection", "daemon", "signals"] {
      if case .object(let object)? = answer[section]?.value { add(object, section, to: &table) }
    }
    table.print(to: invocation.output)
  }

  /// A daemon that cannot be reached is a metric as well: a collector may not see the exit status.
  private static func printMetrics(_ invocation: Invocation, _ format: MetricsText.Format) throws(CommandError) {
    let answer: ServerLine
    do {
      answer = try Connection(path: invocation.socketPath, output: invocation.output, echoesLines: false)
        .ask(StatsRequest())
    } catch {
      if error.status == .unreachable { invocation.output.text(Metrics.ofUnreachable(format)) }
      throw error
    }
    guard case .object(let daemon)? = answer["daemon"]?.value, case .object(let signals)? = answer["signals"]?.value
    else { throw CommandError.deniedCounts }
    invocation.output.text(Metrics(daemon: daemon, signals: signals, format).text)
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
