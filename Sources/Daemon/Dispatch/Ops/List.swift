import SignalGraph
import WireProtocol

extension Dispatcher {
  func list(_ request: ListRequest, _ exchange: Exchange) {
    let client = exchange.client
    let channels = hub.visibleChannels(to: client).filter { request.pattern.map($0.isCovered) ?? true }
    exchange.reply(ListReply(signals: channels.map { ListedSignal($0, for: client) }))
  }
}

extension ListedSignal {
  fileprivate init(_ channel: Channel, for client: ClientIdentity) {
    self.init(
      signal: channel.name, kind: ListedKind(channel.signal.kind),
      canSend: channel.signal.acceptsValues && channel.access.maySend(client),
      canSubscribe: channel.access.maySubscribe(client), isHeld: channel.signal.isHeld,
      end: WireProtocol.SignalEnd(of: channel, for: client), doc: channel.signal.declaration.traits.documentation)
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
