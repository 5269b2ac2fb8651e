import SignalGraph
import WireProtocol

extension Dispatcher {
  func describe(_ request: DescribeRequest, _ exchange: Exchange) throws(WireError) {
    if let graph = request.graph {
      let channels = try channels(ofGraph: graph, for: exchange.client)
      exchange.reply(DescribeReply.graph(graph, channels.map(description)))
    } else {
      let channel = try channel(request.signal ?? "", for: exchange.client)
      exchange.reply(DescribeReply.signal(description(of: channel)))
    }
  }

  private func description(of channel: Channel) -> SignalDescription {
    let signal = channel.signal
    let downstream = hub.channels.filter { $0.signal.declaration.upstream.contains(channel.name) }
    return SignalDescription(
      signal: channel.name, kind: WireProtocol.SignalKind(signal.kind), declaration: signal.declaration.text,
      upstream: signal.declaration.upstream, downstream: downstream.map(\.name), seq: signal.sequence,
      subscribers: channel.subscriberCount, errors: signal.errors, dropped: signal.dropped)
  }
}
