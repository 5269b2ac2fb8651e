import GraphEngine
import GraphModel
import JSON
import WireProtocol
import World

extension DescribeRequest: DaemonRequest {
  static var looksThroughSignals: Bool { true }

  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.describe(self, exchange)
    return .next
  }
}

extension Dispatcher {
  func describe(_ request: DescribeRequest, _ exchange: Exchange) throws(WireError) {
    if let graph = request.graph {
      let channels = try channels(ofGraph: graph, for: exchange.client)
      exchange.reply(DescribeReply.graph(graph, channels.map { description(of: $0, request, for: exchange.client) }))
    } else {
      let channel = try channel(request.signal ?? "", for: exchange.client)
      exchange.reply(DescribeReply.signal(description(of: channel, request, for: exchange.client)))
    }
  }

  /// Returns the description of a signal, without the names of signals that are hidden from the client.
  private func description(
    of channel: Channel, _ request: DescribeRequest, for client: ClientIdentity
  ) -> SignalDescription {
    let signal = channel.signal
    let isVisible: (String) -> Bool = { [hub] name in hub.channel(named: name, for: client) != nil }
    let counts = SignalDescription.Counts(
      seq: signal.sequence, subscribers: channel.subscriberCount, errors: signal.losses.errors,
      dropped: signal.losses.dropped,
      time: signal.lastTime.map(Timestamp.init(microseconds:)))
    let calls = waitingCalls(for: client)
    return SignalDescription(
      signal: channel.name, kind: ListedKind(signal.kind),
      declaration: declaration(of: channel, for: client),
      upstream: signal.declaration.upstream.filter(isVisible), downstream: downstream(of: channel).filter(isVisible),
      counts: channel.access.maySubscribe(client) ? counts : nil,
      end: WireProtocol.SignalEnd(of: channel, for: client),
      place: request.place == true && seesAll(client) ? signal.declaration.place?.description : nil,
      text: request.text == true && seesAll(client) ? text(of: channel, for: client) : nil,
      connection: channel.access.maySubscribe(client) ? connection(of: channel)?.state : nil,
      calls: channel.access.maySubscribe(client)
        ? (calls[channel.name] ?? []).map { $0.figures(at: hub.runtime.clock.microseconds) } : [],
      failure: channel.access.maySubscribe(client)
        ? sourceFailures[channel.name]?.figures(at: hub.runtime.clock.microseconds) : nil,
      refusal: channel.access.maySubscribe(client)
        ? refusals.last(in: channel.signal, at: hub.runtime.clock.microseconds) : nil,
      pauses: pauses(of: channel, calls, for: client))
  }

  /// Returns the declaration as it was written, if nothing in it is hidden from the client; comments may repeat a secret.
  private func text(of channel: Channel, for client: ClientIdentity) -> String? {
    let declared = channel.signal.declaration.text
    guard declaration(of: channel, for: client) == declared else { return nil }
    return channel.signal.declaration.place?.text(of: declared).map(network.withoutSecrets)
  }

  /// Returns the declaration without what is hidden from the client.
  ///
  /// A signal or an action can only be named by a scalar that is its name, so each scalar is compared with all names:
  /// this covers every field that names one, including future ones.
  private func declaration(of channel: Channel, for client: ClientIdentity) -> JSONValue {
    var text = channel.signal.declaration.text.plain
    if case .object(var members) = text, !client.isPrivileged {
      members["access"] = nil
      text = .object(members)
    }
    // A name may be made of variables, whose values are not shown.
    let hasHiddenNames = channel.signal.declaration.namedParts.contains { hides($0, in: channel.graph, from: client) }
    return text.hiding { hides($0, in: channel.graph, from: client) || hasHiddenNames && $0.contains("${") }
  }
}
