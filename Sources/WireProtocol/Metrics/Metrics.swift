package import JSON

/// The daemon's statistics from `stats` as text for metrics collectors.
package struct Metrics {
  private typealias Signal = (name: String, counts: JSONObject)

  private var output: MetricsText

  package var text: String { output.text }

  /// The metrics of an unreachable daemon.
  package static func ofUnreachable(_ format: MetricsText.Format) -> String {
    var output = MetricsText(format)
    output.begin(up)
    output.add(up, 0)
    return output.text
  }

  /// - Parameters:
  ///   - connections: Those to peers on the network.
  ///   - declared: The metrics that signals declare.
  package init(
    daemon: JSONObject, signals: JSONObject, connections: JSONObject? = nil, declared: JSONObject? = nil,
    _ format: MetricsText.Format
  ) {
    output = MetricsText(format)
    let signals = signals.members.map { (name: $0.key, counts: $0.value.members) }
    add(Self.up, [(1, [:])])
    add(Self.build, [(1, ["version": daemon.text("version")])])
    addReload(daemon)
    for metric in Self.ofDaemon { add(metric, [(daemon[metric.key], [:])]) }
    addLimits(daemon)
    addCluster(daemon)
    for metric in Self.ofSignal { add(metric, of: signals) { $0[metric.key] } }
    for metric in Self.ofPrograms { add(metric, of: signals) { $0.object("programs")[metric.key] } }
    for metric in Self.ofCalls {
      add(metric, of: signals.filter { $0.counts["calls"] != nil }) { $0.object("calls")[metric.key] }
    }
    add(Self.callFailure, failures: signals) { $0.object("calls")["error"] }
    add(Self.sourceFailure, failures: signals) { $0["failure"] }
    addConnections(connections)
    addEndings(signals)
    addLatencies(signals)
    if let declared { add(declared: declared) }
  }

  private mutating func add(declared: JSONObject) {
    for metric in Self.ofDeclared { add(metric, [(declared[metric.key], [:])]) }
    for case .object(let family) in declared.list("families") { output.add(DeclaredFamily(family)) }
  }

  private mutating func add(_ metric: Metric, _ values: [(JSONValue?, KeyValuePairs<String, String>)]) {
    output.begin(metric)
    for (value, labels) in values { output.add(metric, value, labels) }
  }

  private mutating func add(_ metric: Metric, of signals: [Signal], _ value: (JSONObject) -> JSONValue?) {
    add(metric, signals.map { (value($0.counts), ["signal": $0.name]) })
  }

  private mutating func addReload(_ daemon: JSONObject) {
    guard case .object(let reload)? = daemon["last_reload"] else { return }
    for metric in Self.ofReload {
      add(metric, [(reload[metric.key].map { $0 == true ? 1 : $0 == false ? 0 : $0 }, [:])])
    }
  }

  private mutating func addLimits(_ daemon: JSONObject) {
    for metric in Self.ofLimit {
      add(metric, daemon.object("limits").members.map { ($0.value.members[metric.key], ["limit": $0.key]) })
    }
  }

  private mutating func addCluster(_ daemon: JSONObject) {
    let graphs = daemon.list("cluster").map(\.members)
    if graphs.isEmpty { return }
    for metric in Self.ofCluster {
      add(
        metric,
        graphs.map { graph in
          let isOwner = ["running", "stalled"].contains(graph.text("state"))
          return (metric.key == "state" ? isOwner ? 1 : 0 : graph[metric.key], ["graph": graph.text("graph")])
        })
    }
    output.begin(Self.clusterCommit)
    for graph in graphs {
      for part in ["sum", "count"] {
        output.add(
          Self.clusterCommit, suffix: "_\(part)", graph.object("commits")[part], ["graph": graph.text("graph")])
      }
    }
    add(Self.relayRestarts, [(daemon[Self.relayRestarts.key], [:])])
  }

  /// Adds the ages of failures, with their codes.
  private mutating func add(_ metric: Metric, failures signals: [Signal], _ failure: (JSONObject) -> JSONValue?) {
    output.begin(metric)
    for signal in signals {
      guard case .object(let error)? = failure(signal.counts) else { continue }
      output.add(metric, error[metric.key], ["signal": signal.name, "code": error.text("code")])
    }
  }

  private mutating func addConnections(_ connections: JSONObject?) {
    guard let connections else { return }
    for metric in Self.ofConnection {
      add(
        metric,
        connections.members.map { connection in
          let counts = connection.value.members
          let value = metric.key == "state" ? (counts.text("state") == "connected" ? 1 : 0) : counts[metric.key]
          return (value, ["connection": connection.key, "kind": counts.text("kind")])
        })
    }
  }

  private mutating func addEndings(_ signals: [Signal]) {
    output.begin(Self.ended)
    for signal in signals where signal.counts["ended"] != nil {
      output.add(Self.ended, 1, ["signal": signal.name, "event": signal.counts.object("ended").text("event")])
    }
  }

  private mutating func addLatencies(_ signals: [Signal]) {
    output.begin(Self.latency)
    for signal in signals {
      let latency = signal.counts.object("latency")
      for part in ["sum", "count"] {
        output.add(Self.latency, suffix: "_\(part)", latency[part], ["signal": signal.name])
      }
    }
  }
}
