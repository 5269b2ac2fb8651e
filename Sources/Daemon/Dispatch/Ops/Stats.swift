import JSON
import SignalGraph
import WireProtocol

extension Dispatcher {
  func stats(_ exchange: Exchange) {
    let session = exchange.session
    let connection = StatsReply.Connection(
      received: session.receivedValues, sent: session.outbox.sentValues, dropped: session.droppedEvents,
      subscriptions: session.subscriptionCount, queuedBytes: session.outbox.heldBytes)
    guard seesAll(exchange.client) else {
      return exchange.reply(StatsReply(connection: connection))
    }
    var signals = JSONObject()
    for channel in hub.channels where !channel.access.isPrivate {
      signals[channel.name] = statistics(of: channel, for: exchange.client)
    }
    let daemon = control.statistics(relayed: relayedValues, denials: audit.denials)
    exchange.reply(StatsReply(connection: connection, daemon: daemon, signals: signals))
  }

  /// Whether a client may see what is told of the daemon as a whole.
  func seesAll(_ client: ClientIdentity) -> Bool { client.isPrivileged || observers.include(client.credentials) }

  private func statistics(of channel: Channel, for client: ClientIdentity) -> JSONValue {
    let (signal, latency) = (channel.signal, channel.latency)
    var members: JSONObject = [
      "seq": .number(Double(signal.sequence)), "subscribers": .number(Double(channel.subscriberCount)),
      "errors": .number(Double(signal.losses.errors)), "dropped": .number(Double(signal.losses.dropped)),
      "lost": .number(Double(channel.losses.count)),
      "latency": ["count": .number(Double(latency.count)), "sum": .number(Double(latency.nanoseconds) / 1e9)],
    ]
    if let time = signal.lastTime {
      members["age"] = .number(max(0, Double(hub.runtime.clock.microseconds - time) / 1e6))
    }
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
