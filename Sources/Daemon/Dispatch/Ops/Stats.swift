import GraphEngine
import GraphModel
import JSON
import WireProtocol
import World

extension StatsRequest: DaemonRequest {
  static var looksThroughSignals: Bool { true }

  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    dispatcher.stats(self, exchange)
    return .next
  }
}

extension Dispatcher {
  func stats(_ request: StatsRequest, _ exchange: Exchange) {
    let session = exchange.session
    let connection = StatsReply.OwnFigures(
      received: session.receivedValues, sent: session.sendBuffer.sentValues, dropped: session.droppedEvents,
      subscriptions: session.subscriptionCount, queuedBytes: session.sendBuffer.heldBytes)
    guard seesAll(exchange.client) else {
      return exchange.reply(StatsReply(connection: connection))
    }
    var signals = JSONObject()
    // Who sees the figures of all signals sees those of all actions.
    let (calls, failures) = (waitingCalls, sourceFailures)
    for channel in hub.channels where !channel.access.isPrivate {
      signals[channel.name] = statistics(
        of: channel, calls[channel.name], failures[channel.name], for: exchange.client)
    }
    let declared: JSONValue? = request.metrics == true ? .some(metrics(for: exchange.client)) : .none
    let daemon = control.statistics(relayed: relayedValues, denials: audit.denials)
    exchange.reply(
      StatsReply(
        connection: connection, daemon: daemon, signals: signals, connections: network.statistics,
        metrics: declared))
  }

  /// Returns the metrics of the signals that a client may subscribe to.
  private func metrics(for client: ClientIdentity) -> JSONValue {
    let (ledger, now) = (hub.runtime.series, hub.runtime.clock.microseconds)
    var families: [JSONValue] = []
    for channel in hub.channels {
      guard let metric = channel.signal.metric, channel.access.maySubscribe(client) else { continue }
      let samples =
        channel.signal.ending == nil ? metric.samples(catchingUp: channel.signal.retained, at: now) : []
      families.append(Self.family(metric.declaration, of: channel.name, samples))
    }
    return [
      "series": .number(Double(ledger.count)), "dropped": .number(Double(ledger.dropped)),
      "refused": .number(Double(ledger.refused)), "families": .array(families),
    ]
  }

  private static func family(
    _ metric: MetricDeclaration, of signal: String, _ samples: [(labels: [String], number: Double)]
  ) -> JSONValue {
    var family: JSONObject = [
      "name": .string(metric.name), "type": .string(metric.kind.rawValue), "help": .string(metric.help),
    ]
    if let unit = metric.unit { family["unit"] = .string(unit) }
    family["signal"] = .string(signal)
    family["labels"] = .array(metric.labelNames.map(JSONValue.string))
    family["series"] = .array(
      samples.map { [.array($0.labels.map(JSONValue.string)), number($0.number)] })
    return .object(family)
  }

  /// Returns a number, or the word of OpenMetrics for one that JSON does not have.
  private static func number(_ number: Double) -> JSONValue {
    if number.isNaN { return "NaN" }
    return number.isInfinite ? number > 0 ? "+Inf" : "-Inf" : .number(number)
  }

  /// Indicates that a client may see the statistics of the whole daemon.
  func seesAll(_ client: ClientIdentity) -> Bool { client.isPrivileged || observers.include(client.credentials) }

  private func statistics(
    of channel: Channel, _ calls: [WaitingCalls]?, _ failure: NotedFailure?, for client: ClientIdentity
  ) -> JSONValue {
    let (signal, latency) = (channel.signal, channel.latency)
    var members: JSONObject = [
      "seq": .number(Double(signal.sequence)), "subscribers": .number(Double(channel.subscriberCount)),
      "errors": .number(Double(signal.losses.errors)), "dropped": .number(Double(signal.losses.dropped)),
      "lost": .number(Double(channel.losses?.count ?? 0)),
      "latency": [
        "count": .number(Double(latency?.count ?? 0)), "sum": .number(Double(latency?.nanoseconds ?? 0) / 1e9),
      ],
    ]
    if let time = signal.lastTime {
      members["age"] = .number(max(0, Double(hub.runtime.clock.microseconds - time) / 1e6))
    }
    if let figures = calls?.figures(at: hub.runtime.clock.microseconds) { members["calls"] = .object(figures) }
    if let figures = failure?.figures(at: hub.runtime.clock.microseconds) { members["failure"] = .object(figures) }
    if signal.losses.programs.starts > 0 {
      members["programs"] = [
        "starts": .number(Double(signal.losses.programs.starts)),
        "failures": .number(Double(signal.losses.programs.failures)),
      ]
    }
    if let end = WireProtocol.SignalEnd(of: channel, for: client) { members["ended"] = end.value }
    return .object(members)
  }
}
