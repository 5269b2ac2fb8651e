package import JSON

/// Asks for the daemon's counts.
package struct StatsRequest: WireRequest {
  package static let op = "stats"
  package static let summary =
    "Tells what was counted on your connection; everywhere to root, the daemon's own user and server.access.stats."

  package init() {}
}

package struct StatsReply: Reply {
  package static let op: StaticString = "stats"

  package struct Connection: Sendable {
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

  /// A limit of things that exist at once, and the number of them that exist.
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

  package struct Daemon: Sendable {
    /// Seconds since the start of the service: of the first of the processes that have handed over to each other.
    package var uptime = 0.0
    /// The same of this process.
    package var processUptime = 0.0
    /// How often one has handed over to another, and how many clients were carried over the last time.
    package var handovers: UInt64 = 0
    package var carriedOver: UInt64 = 0
    /// The time of its start, in seconds since 1970.
    package var startTime = 0.0
    package var generation = 0
    package var connections = 0
    package var subscriptions = 0
    /// The bytes that are held for clients.
    package var heldBytes = 0
    package var memoryBytes = 0
    package var turns: UInt64 = 0
    package var values: UInt64 = 0
    package var errors: UInt64 = 0
    package var dropped: UInt64 = 0
    /// Events that slow clients have missed.
    package var lost: UInt64 = 0
    /// Signals that have ended, and those of them that have failed.
    package var ended = 0
    package var failed = 0
    /// Clients that were not let in, and requests that were denied.
    package var turnedAway: UInt64 = 0
    package var denied: UInt64 = 0
    package var version = ""
    package var limits: [UsedLimit] = []
    /// The outcome of the last reload, and its age in seconds; `nil` before the first.
    package var lastReload: (succeeded: Bool, age: Double)?

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
      return .object(object)
    }
  }

  package let connection: Connection
  /// Only for clients that may know.
  package let daemon: Daemon?
  package let signals: JSONObject?

  package init(connection: Connection, daemon: Daemon? = nil, signals: JSONObject? = nil) {
    self.connection = connection
    self.daemon = daemon
    self.signals = signals
  }

  package func writeMembers(to line: inout LineWriter) {
    line.member("connection", connection.value)
    if let daemon { line.member("daemon", daemon.value) }
    if let signals { line.member("signals", .object(signals)) }
  }
}
