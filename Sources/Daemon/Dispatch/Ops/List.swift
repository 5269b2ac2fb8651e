import JSON
import SignalGraph
import WireProtocol

extension Dispatcher {
  func list(_ request: ListRequest, _ exchange: Exchange) {
    let client = exchange.client
    let channels = hub.visibleChannels(to: client).filter { request.pattern.map($0.isCovered) ?? true }
    let (calls, now) = (waitingCalls, hub.runtime.clock.microseconds)
    exchange.reply(
      ListReply(
        signals: channels.map { channel in
          let isVisible = channel.access.maySubscribe(client)
          let connection = isVisible ? connection(of: channel) : nil
          return ListedSignal(
            channel, for: client, away: connection?.isConnected == false ? connection?.state : nil,
            calls: isVisible ? calls[channel.name]?.figures(at: now) : nil)
        }))
  }
}

extension ListedSignal {
  fileprivate init(_ channel: Channel, for client: ClientIdentity, away: JSONObject?, calls: JSONObject?) {
    self.init(
      signal: channel.name, kind: ListedKind(channel.signal.kind),
      canSend: channel.signal.acceptsValues && channel.access.maySend(client),
      canSubscribe: channel.access.maySubscribe(client), isHeld: channel.signal.isHeld,
      end: WireProtocol.SignalEnd(of: channel, for: client), doc: channel.signal.declaration.traits.documentation,
      unit: channel.signal.declaration.traits.unit, away: away, calls: calls)
  }
}

extension ListedKind {
  init(_ kind: SignalKind) {
    switch kind {
    case .input: self = .input
    case .property: self = .property
    case .derived: self = .derived
    case .source: self = .source
    case .action: self = .action
    }
  }
}
