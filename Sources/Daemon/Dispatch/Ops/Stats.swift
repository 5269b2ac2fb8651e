import JSON
import SignalGraph
import WireProtocol

extension Dispatcher {
  func stats(_ exchange: Exchange) {
    let session = exchange.session
    let connection = StatsReply.Connection(
      received: session.receivedValues, sent: session.outbox.sentValues, dropped: session.droppedEvents,
      subscriptions: session.subscriptionCount, queuedBytes: session.outbox.heldBytes)
    guard exchange.client.isPrivileged else { return exchange.reply(StatsReply(connection: connection)) }
    var signals = JSONObject()
    for channel in hub.channels where !channel.access.isPrivate { signals[channel.name] = channel.statistics }
    exchange.reply(
      StatsReply(connection: connection, daemon: control.statistics(relayed: relayedValues), signals: signals))
  }
}

extension Channel {
  fileprivate var statistics: JSONValue {
    [
      "seq": .number(Double(signal.sequence)), "subscribers": .number(Double(subscriberCount)),
      "errors": .number(Double(signal.errors)), "dropped": .number(Double(signal.dropped)),
      "lost": .number(Double(losses.count)),
      "latency": ["count": .number(Double(latency.count)), "sum": .number(Double(latency.nanoseconds) / 1e9)],
    ]
  }
}
