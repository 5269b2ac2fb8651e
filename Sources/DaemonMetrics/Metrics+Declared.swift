extension Metrics {
  static let up = Metric(key: "", name: "up", kind: .gauge, help: "Whether the daemon answers.")
  static let build = Metric(key: "version", name: "build", kind: .info, help: "The daemon's version.")

  static let ofReload = [
    Metric(
      key: "succeeded", name: "last_reload_succeeded", kind: .gauge,
      help: "Whether the last configuration that was read again was taken over."),
    Metric(
      key: "age", name: "last_reload_age_seconds", kind: .gauge, help: "Time since the last reload.", unit: "seconds"),
  ]

  static let ofDaemon = [
    Metric(
      key: "start_time", name: "start_time_seconds", kind: .gauge, help: "Start of the daemon, since 1970.",
      unit: "seconds"),
    Metric(key: "uptime", name: "uptime_seconds", kind: .gauge, help: "Time since the start.", unit: "seconds"),
    Metric(
      key: "process_uptime", name: "process_uptime_seconds", kind: .gauge,
      help: "Time since the present process took over.", unit: "seconds"),
    Metric(key: "handovers", name: "handovers", kind: .counter, help: "Processes that have taken over."),
    Metric(
      key: "carried_over", name: "carried_over_clients", kind: .gauge,
      help: "Clients that the present process has taken over."),
    Metric(key: "generation", name: "configuration_generation", kind: .gauge, help: "Configurations so far."),
    Metric(key: "connections", name: "connections", kind: .gauge, help: "Clients connected."),
    Metric(key: "turned_away", name: "turned_away_clients", kind: .counter, help: "Clients that were not let in."),
    Metric(key: "denied", name: "denied_requests", kind: .counter, help: "Requests that clients had no right to."),
    Metric(key: "subscriptions", name: "subscriptions", kind: .gauge, help: "Subscriptions of all clients."),
    Metric(key: "held_bytes", name: "held_bytes", kind: .gauge, help: "Bytes held for clients.", unit: "bytes"),
    Metric(
      key: "memory_bytes", name: "resident_memory_bytes", kind: .gauge, help: "Resident memory.", unit: "bytes"),
    Metric(key: "turns", name: "turns", kind: .counter, help: "Turns of the loop."),
    Metric(key: "values", name: "values", kind: .counter, help: "Values of all signals."),
    Metric(key: "errors", name: "errors", kind: .counter, help: "Values that an expression refused."),
    Metric(key: "dropped", name: "dropped_values", kind: .counter, help: "Values lost to a bound."),
    Metric(key: "lost", name: "lost_events", kind: .counter, help: "Events that slow clients have missed."),
    Metric(key: "ended", name: "ended_signals", kind: .gauge, help: "Signals that have ended."),
    Metric(key: "failed", name: "failed_signals", kind: .gauge, help: "Signals that have failed."),
  ]

  static let ofLimit = [
    Metric(key: "limit", name: "limit", kind: .gauge, help: "A limit of the configuration."),
    Metric(
      key: "used", name: "limit_used", kind: .gauge,
      help: "How much of a limit is used; where each user or client has it, by the one with the most."),
  ]

  static let ofSignal = [
    Metric(key: "seq", name: "signal_values", kind: .counter, help: "Values of a signal."),
    Metric(key: "subscribers", name: "signal_subscribers", kind: .gauge, help: "Subscribers of a signal."),
    Metric(
      key: "errors", name: "signal_errors", kind: .counter, help: "Values that an expression of a signal refused."),
    Metric(
      key: "dropped", name: "signal_dropped_values", kind: .counter, help: "Values of a signal lost to a bound."),
    Metric(
      key: "lost", name: "signal_lost_events", kind: .counter,
      help: "Events of a signal that slow clients have missed."),
    Metric(
      key: "age", name: "signal_age_seconds", kind: .gauge, help: "Time since the last value of a signal.",
      unit: "seconds"),
  ]

  static let ofPrograms = [
    Metric(
      key: "starts", name: "signal_program_starts", kind: .counter,
      help: "Programs that a signal or an action has started."),
    Metric(
      key: "failures", name: "signal_program_failures", kind: .counter,
      help: "Programs of these that ended with another status than 0, by a system signal, or could not be run."),
  ]

  static let ended = Metric(
    key: "ended", name: "signal_ended", kind: .gauge,
    help: "1 for a signal that has ended, by the event that told of it.")

  static let latency = Metric(
    key: "latency", name: "signal_latency_seconds", kind: .summary,
    help: "Time from a client's line until every subscriber was written to.", unit: "seconds")
}
