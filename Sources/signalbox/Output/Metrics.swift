internal import JSON

/// The daemon's counts as Prometheus reads them: its text format, version 0.0.4.
struct Metrics {
  private enum Kind: String {
    case counter, gauge, summary
  }

  /// One number of the answer to `stats`, and what it is called and means to Prometheus.
  private struct Metric {
    let key: String
    let name: String
    let kind: Kind
    let help: String
  }

  private static let ofDaemon = [
    Metric(key: "uptime", name: "uptime_seconds", kind: .gauge, help: "Time since the start."),
    Metric(key: "generation", name: "configuration_generation", kind: .gauge, help: "Configurations so far."),
    Metric(key: "connections", name: "connections", kind: .gauge, help: "Clients connected."),
    Metric(key: "subscriptions", name: "subscriptions", kind: .gauge, help: "Subscriptions of all clients."),
    Metric(key: "held_bytes", name: "held_bytes", kind: .gauge, help: "Bytes held for clients."),
    Metric(key: "memory_bytes", name: "resident_memory_bytes", kind: .gauge, help: "Resident memory."),
    Metric(key: "turns", name: "turns_total", kind: .counter, help: "Turns of the loop."),
    Metric(key: "values", name: "values_total", kind: .counter, help: "Values of all signals."),
    Metric(key: "errors", name: "errors_total", kind: .counter, help: "Values that an expression refused."),
    Metric(key: "dropped", name: "dropped_values_total", kind: .counter, help: "Values lost to a bound."),
    Metric(key: "lost", name: "lost_events_total", kind: .counter, help: "Events that slow clients have missed."),
    Metric(key: "ended", name: "ended_signals", kind: .gauge, help: "Signals that have ended."),
    Metric(key: "failed", name: "failed_signals", kind: .gauge, help: "Signals that have failed."),
  ]

  private static let ofSignal = [
    Metric(key: "seq", name: "signal_values_total", kind: .counter, help: "Values of a signal."),
    Metric(key: "subscribers", name: "signal_subscribers", kind: .gauge, help: "Subscribers of a signal."),
    Metric(
      key: "errors", name: "signal_errors_total", kind: .counter, help: "Values that an expression of a signal refused."
    ),
    Metric(
      key: "dropped", name: "signal_dropped_values_total", kind: .counter, help: "Values of a signal lost to a bound."),
    Metric(
      key: "lost", name: "signal_lost_events_total", kind: .counter,
      help: "Events of a signal that slow clients have missed."),
    Metric(
      key: "age", name: "signal_age_seconds", kind: .gauge, help: "Time since the last value of a signal."),
  ]

  private static let ofPrograms = [
    Metric(
      key: "starts", name: "signal_program_starts_total", kind: .counter, help: "Programs that a signal has started."),
    Metric(
      key: "failures", name: "signal_program_failures_total", kind: .counter,
      help: "Programs of a signal that ended with another status than 0, by a system signal, or could not be run."),
  ]

  private static let ended = Metric(
    key: "ended", name: "signal_ended", kind: .gauge,
    help: "1 for a signal that has ended, by the event that told of it.")

  private static let latency = Metric(
    key: "latency", name: "signal_latency_seconds", kind: .summary,
    help: "Time from a client's line until every subscriber was written to.")

  private(set) var text = ""

  private static let up = Metric(key: "", name: "up", kind: .gauge, help: "Whether the daemon answers.")
  private static let build = Metric(key: "version", name: "build_info", kind: .gauge, help: "The daemon's version.")
  private static let ofReload = [
    Metric(
      key: "succeeded", name: "last_reload_succeeded", kind: .gauge,
      help: "Whether the last configuration that was read again was taken over."),
    Metric(key: "age", name: "last_reload_age_seconds", kind: .gauge, help: "Time since the last reload."),
  ]

  /// What there is to say of a daemon that cannot be reached.
  static var ofUnreachable: String {
    var metrics = Metrics()
    metrics.begin(up)
    metrics.add(up, "", .number(0))
    return metrics.text
  }

  private init() {}

  init(daemon: JSONObject, signals: JSONObject) {
    begin(Self.up)
    add(Self.up, "", .number(1))
    begin(Self.build)
    add(Self.build, "{version=\"\(daemon.text("version"))\"}", .number(1))
    addReload(daemon)
    for metric in Self.ofDaemon {
      begin(metric)
      add(metric, "", daemon[metric.key])
    }
    for metric in Self.ofSignal {
      begin(metric)
      for member in signals.members {
        guard case .object(let counts) = member.value else { continue }
        add(metric, "{signal=\"\(member.key)\"}", counts[metric.key])
      }
    }
    addPrograms(signals)
    addEndings(signals)
    addLatencies(signals)
  }

  private mutating func addReload(_ daemon: JSONObject) {
    guard case .object(let reload)? = daemon["last_reload"] else { return }
    for metric in Self.ofReload {
      begin(metric)
      add(metric, "", reload[metric.key].map { $0 == true ? .number(1) : $0 == false ? .number(0) : $0 })
    }
  }

  private mutating func addPrograms(_ signals: JSONObject) {
    for metric in Self.ofPrograms {
      begin(metric)
      for member in signals.members {
        guard case .object(let counts) = member.value, case .object(let programs)? = counts["programs"] else {
          continue
        }
        add(metric, "{signal=\"\(member.key)\"}", programs[metric.key])
      }
    }
  }

  private mutating func addEndings(_ signals: JSONObject) {
    begin(Self.ended)
    for member in signals.members {
      guard case .object(let counts) = member.value, case .object(let end)? = counts[Self.ended.key] else { continue }
      add(Self.ended, "{signal=\"\(member.key)\",event=\"\(end.text("event"))\"}", .number(1))
    }
  }

  private mutating func addLatencies(_ signals: JSONObject) {
    begin(Self.latency)
    for member in signals.members {
      guard case .object(let counts) = member.value, case .object(let latency)? = counts[Self.latency.key] else {
        continue
      }
      for part in ["sum", "count"] {
        add(Self.latency.name + "_\(part)", "{signal=\"\(member.key)\"}", latency[part])
      }
    }
  }

  private mutating func begin(_ metric: Metric) {
    text += "# HELP signalbox_\(metric.name) \(metric.help)\n# TYPE signalbox_\(metric.name) \(metric.kind.rawValue)\n"
  }

  private mutating func add(_ metric: Metric, _ labels: String, _ value: JSONValue?) {
    add(metric.name, labels, value)
  }

  private mutating func add(_ name: String, _ labels: String, _ value: JSONValue?) {
    if let value { text += "signalbox_\(name)\(labels) \(value.description)\n" }
  }
}
