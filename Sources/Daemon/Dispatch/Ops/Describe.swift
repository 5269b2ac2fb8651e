import SignalGraph
import WireProtocol

extension Dispatcher {
  func describe(_ request: DescribeRequest, _ exchange: Exchange) throws(WireError) {
    if let graph = request.graph {
      let channels = try channels(ofGraph: graph, for: exchange.client)
      exchange.reply(DescribeReply.graph(graph, channels.map { description(of: $0, for: exchange.client) }))
    } else {
      let channel = try channel(request.signal ?? "", for: exchange.client)
      exchange.reply(DescribeReply.signal(description(of: channel, for: exchange.client)))
    }
  }

  /// What a client may know of a signal: its neighbours are named only if the client can see them.
  private func description(of channel: Channel, for client: ClientIdentity) -> SignalDescription {
    let signal = channel.signal
    let visible = hub.visibleChannels(to: client)
    let upstream = signal.declaration.upstream.filter { name in visible.contains { $0.name == name } }
    let downstream = visible.filter { $0.signal.declaration.upstream.contains(channel.name) }
    return SignalDescription(
      signal: channel.name, kind: WireProtocol.SignalKind(signal.kind), declaration: signal.declaration.text,
      upstream: upstream, downstream: downstream.map(\.name), seq: signal.sequence,
      subscribers: channel.subscriberCount, errors: signal.errors, dropped: signal.dropped)
  }
}
