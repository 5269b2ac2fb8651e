extension Metrics {
  static let up = Metric(key: "", name: "up", kind: .gauge, help: "1 if the daemon answers.")
  static let build = Metric(key: "version", name: "build", kind: .info, help: "The daemon's version.")

  static let ofReload = [
    Metric(
      key: "succeeded", name: "last_reload_succeeded", kind: .gauge,
      help: "1 if the last reload was applied."),
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
      help: "Time since the current process took over.", unit: "seconds"),
    Metric(key: "handovers", name: "handovers", kind: .counter, help: "Processes that have taken over."),
    Metric(
      key: "carried_over", name: "carried_over_clients", kind: .gauge,
      help: "Clients taken over by the current process."),
    Metric(key: "generation", name: "configuration_generation", kind: .gauge, help: "Configurations since the start."),
    Metric(key: "connections", name: "connections", kind: .gauge, help: "Clients connected."),
    Metric(key: "turned_away", name: "turned_away_clients", kind: .counter, help: "Rejected connections."),
    Metric(key: "denied", name: "denied_requests", kind: .counter, help: "Requests denied for lack of permission."),
    Metric(key: "subscriptions", name: "subscriptions", kind: .gauge, help: "Subscriptions of all clients."),
    Metric(key: "held_bytes", name: "held_bytes", kind: .gauge, help: "Bytes held for clients.", unit: "bytes"),
    Metric(
      key: "memory_bytes", name: "resident_memory_bytes", kind: .gauge, help: "Resident memory.", unit: "bytes"),
    Metric(key: "turns", name: "turns", kind: .counter, help: "Iterations of the event loop."),
    Metric(key: "values", name: "values", kind: .counter, help: "Values of all signals."),
    Metric(key: "errors", name: "errors", kind: .counter, help: "Values rejected by an expression."),
    Metric(key: "dropped", name: "dropped_values", kind: .counter, help: "Values dropped at a bound."),
    Metric(key: "lost", name: "lost_events", kind: .counter, help: "Events missed by slow clients."),
    Metric(key: "ended", name: "ended_signals", kind: .gauge, help: "Ended signals."),
    Metric(key: "failed", name: "failed_signals", kind: .gauge, help: "Failed signals."),
  ]

  static let ofLimit = [
    Metric(key: "limit", name: "limit", kind: .gauge, help: "A limit of the configuration."),
    Metric(
      key: "used", name: "limit_used", kind: .gauge,
      help: "Usage of a limit; for limits per user or client, that of the greatest user."),
  ]

  static let ofSignal = [
    Metric(key: "seq", name: "signal_values", kind: .counter, help: "Values of a signal."),
    Metric(key: "subscribers", name: "signal_subscribers", kind: .gauge, help: "Subscribers of a signal."),
    Metric(
      key: "errors", name: "signal_errors", kind: .counter, help: "Values rejected by an expression of a signal."),
    Metric(
      key: "dropped", name: "signal_dropped_values", kind: .counter, help: "Values of a signal dropped at a bound."),
    Metric(
      key: "lost", name: "signal_lost_events", kind: .counter,
      help: "Events of a signal missed by slow clients."),
    Metric(
      key: "age", name: "signal_age_seconds", kind: .gauge, help: "Time since the last value of a signal.",
      unit: "seconds"),
  ]

  static let ofPrograms = [
    Metric(
      key: "starts", name: "signal_program_starts", kind: .counter,
      help: "Programs started by a signal or an action."),
    Metric(
      key: "failures", name: "signal_program_failures", kind: .counter,
      help: "Programs that exited with a status other than 0, were killed by a signal, or could not be started."),
  ]

  static let ofCalls = [
    Metric(
      key: "waiting", name: "signal_waiting_calls", kind: .gauge,
      help: "Values of a signal that wait for calls of actions, or are called for."),
    Metric(
      key: "age", name: "signal_oldest_call_seconds", kind: .gauge,
      help: "Time since which the oldest of these waits.", unit: "seconds"),
  ]

  static let callFailure = Metric(
    key: "age", name: "signal_last_call_failure_seconds", kind: .gauge,
    help: "Time since the last failure of a signal's calls, by its code.", unit: "seconds")

  static let sourceFailure = Metric(
    key: "age", name: "signal_last_source_failure_seconds", kind: .gauge,
    help: "Time since the last failure of a signal's source on the network, by its code.", unit: "seconds")

  static let ofConnection = [
    Metric(
      key: "state", name: "connection_up", kind: .gauge, help: "State of a connection to a peer: 1 is connected."),
    Metric(
      key: "waiting", name: "connection_waiting_tasks", kind: .gauge, help: "Tasks that wait for an adapter."),
    Metric(key: "given", name: "connection_given_tasks", kind: .gauge, help: "Tasks that an adapter has."),
    Metric(key: "done", name: "connection_done_tasks", kind: .counter, help: "Tasks that were done."),
    Metric(key: "failed", name: "connection_failed_tasks", kind: .counter, help: "Tasks that have failed."),
  ]

  static let ofCluster = [
    Metric(key: "state", name: "cluster_owned", kind: .gauge, help: "1 where this node runs the clustered graph."),
    Metric(
      key: "lag", name: "cluster_lag_records", kind: .gauge,
      help: "Records of the log of a clustered graph that this node has not published yet."),
    Metric(
      key: "terms", name: "cluster_terms", kind: .counter, help: "Times that this node has begun to run the graph."),
    Metric(
      key: "failovers", name: "cluster_failovers", kind: .counter,
      help: "Times that this node has taken the graph over from one that was silent or had ended."),
    Metric(
      key: "fenced", name: "cluster_fenced", kind: .counter,
      help: "Times that another node had replaced this one without its knowledge."),
    Metric(
      key: "follow_lag", name: "cluster_follow_lag_seconds", kind: .gauge,
      help: "Time from the last commit of another node until its values were published here, by both clocks.",
      unit: "seconds"),
  ]

  static let clusterCommit = Metric(
    key: "commits", name: "cluster_commit_seconds", kind: .summary,
    help: "Time until the servers had stored a commit of this node.", unit: "seconds")

  static let relayRestarts = Metric(
    key: "cluster_relay_restarts", name: "cluster_relay_restarts", kind: .counter,
    help: "Times that the process that speaks with the servers of the cluster was started again.")

  static let ofDeclared = [
    Metric(key: "series", name: "metric_series", kind: .gauge, help: "Series of the metrics of signals."),
    Metric(
      key: "dropped", name: "metric_dropped_values", kind: .counter,
      help: "Values of metrics without a place for their series (limits.series)."),
    Metric(
      key: "refused", name: "metric_refused_values", kind: .counter,
      help: "Values of metrics that are no number, or have an unusable label."),
  ]

  static let ended = Metric(
    key: "ended", name: "signal_ended", kind: .gauge,
    help: "1 for an ended signal, by its terminating event.")

  static let latency = Metric(
    key: "latency", name: "signal_latency_seconds", kind: .summary,
    help: "Latency from a client's line to the write to the last subscriber.", unit: "seconds")
}
