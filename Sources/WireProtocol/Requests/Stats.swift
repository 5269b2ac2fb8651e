package import JSON

/// A request for the statistics.
package struct StatsRequest: WireRequest {
  package static let op = "stats"
  package static let summary =
    "Return the statistics of the connection; for root, the daemon's user and server.access.stats, of the whole daemon."

  package static let fields: [RequestField<Self>] = [
    .optional("metrics", \.metrics, "include the metrics that signals declare")
  ]

  package var metrics: Bool?

  package init(metrics: Bool? = nil) { self.metrics = metrics }

  package init() {}
}

package struct StatsReply: Reply {
  package static let op: StaticString = "stats"

  package struct OwnFigures: Sendable {
    package let received: UInt64
    package let sent: UInt64
    package let dropped: UInt64
    package let subscriptions: Int
    package let queuedBytes: Int

    package init(received: UInt64, sent: UInt64, dropped: UInt64, subscriptions: Int, queuedBytes: Int) {
      self.received = received
      self.sent = sent
      self.dropped = dropped
      self.subscriptions = subscriptions
      self.queuedBytes = queuedBytes
    }

    var value: JSONValue {
      [
        "received": .number(Double(received)), "sent": .number(Double(sent)), "dropped": .number(Double(dropped)),
        "subscriptions": .number(Double(subscriptions)), "queued_bytes": .number(Double(queuedBytes)),
      ]
    }
  }

  /// A limit on current amounts, and its use.
  package struct UsedLimit: Sendable {
    let name: String
    let used: Int
    let limit: Int

    package init(_ name: String, used: Int, of limit: Int) {
      self.name = name
      self.used = used
      self.limit = limit
    }
  }

  package struct DaemonFigures: Sendable {
    /// Seconds since the start of the service: that of the first process in the chain of handovers.
    package var uptime = 0.0
    /// Seconds since the start of this process.
    package var processUptime = 0.0
    /// The number of handovers, and of the clients in the last one.
    package var handovers: UInt64 = 0
    package var carriedOver: UInt64 = 0
    /// The time of its start, in seconds since 1970.
    package var startTime = 0.0
    package var generation = 0
    package var connections = 0
    package var subscriptions = 0
    /// The bytes held for clients.
    package var heldBytes = 0
    package var memoryBytes = 0
    package var turns: UInt64 = 0
    package var values: UInt64 = 0
    package var errors: UInt64 = 0
    package var dropped: UInt64 = 0
    /// Events that slow clients have missed.
    package var lost: UInt64 = 0
    /// The number of ended signals, and of the failed ones among them.
    package var ended = 0
    package var failed = 0
    /// The number of refused clients, and of denied requests.
    package var turnedAway: UInt64 = 0
    package var denied: UInt64 = 0
    package var version = ""
    package var limits: [UsedLimit] = []
    /// The outcome of the last reload, and its age in seconds; `nil` before the first.
    package var lastReload: (succeeded: Bool, age: Double)?
    /// The clustered graphs, as `ClusterReply` has them; `nil` without any.
    package var cluster: [JSONObject]?
    /// The number of times that the relay was started again.
    package var relayRestarts: JSONValue = 0

    package init() {}

    var value: JSONValue {
      var object: JSONObject = [
        "uptime": .number(uptime), "process_uptime": .number(processUptime),
        "handovers": .number(Double(handovers)), "carried_over": .number(Double(carriedOver)),
        "start_time": .number(startTime), "generation": .number(Double(generation)),
        "connections": .number(Double(connections)), "memory_bytes": .number(Double(memoryBytes)),
        "turns": .number(Double(turns)), "values": .number(Double(values)), "errors": .number(Double(errors)),
        "dropped": .number(Double(dropped)), "lost": .number(Double(lost)),
        "subscriptions": .number(Double(subscriptions)), "held_bytes": .number(Double(heldBytes)),
        "ended": .number(Double(ended)), "failed": .number(Double(failed)), "turned_away": .number(Double(turnedAway)),
        "denied": .number(Double(denied)), "version": .string(version),
      ]
      var limits = JSONObject()
      for limit in self.limits {
        limits[limit.name] = ["used": .number(Double(limit.used)), "limit": .number(Double(limit.limit))]
      }
      object["limits"] = .object(limits)
      if let lastReload {
        object["last_reload"] = ["succeeded": .bool(lastReload.succeeded), "age": .number(lastReload.age)]
      }
      if let cluster {
        object["cluster"] = .array(cluster.map { .object($0) })
        object["cluster_relay_restarts"] = relayRestarts
      }
      return .object(object)
    }
  }

  package let connection: OwnFigures
  /// The statistics of the daemon, only for clients that may see them.
  package let daemon: DaemonFigures?
  package let signals: JSONObject?
  /// The connections to peers on the network, by their names; `nil` if there are none.
  package let connections: JSONObject?
  /// The metrics that signals declare; `nil` unless requested.
  package let metrics: JSONValue?

  package init(
    connection: OwnFigures, daemon: DaemonFigures? = nil, signals: JSONObject? = nil, connections: JSONObject? = nil,
    metrics: JSONValue? = nil
  ) {
    self.metrics = metrics
    self.connections = connections
    self.connection = connection
    self.daemon = daemon
    self.signals = signals
  }

  package func writeMembers(to line: inout LineWriter) {
    line.member("connection", connection.value)
    if let daemon { line.member("daemon", daemon.value) }
    if let signals { line.member("signals", .object(signals)) }
    if let connections { line.member("connections", .object(connections)) }
    if let metrics { line.member("metrics", metrics) }
  }
}
