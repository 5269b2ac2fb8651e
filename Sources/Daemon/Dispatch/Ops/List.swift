import GraphEngine
import GraphModel
import JSON
import WireProtocol
import World

extension ListRequest: DaemonRequest {
  static var looksThroughSignals: Bool { true }

  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    dispatcher.list(self, exchange)
    return .next
  }
}

extension Dispatcher {
  func list(_ request: ListRequest, _ exchange: Exchange) {
    let client = exchange.client
    let channels = hub.visibleChannels(to: client).filter { request.pattern.map($0.isCovered) ?? true }
    let (calls, failures, now) = (waitingCalls(for: client), sourceFailures, hub.runtime.clock.microseconds)
    exchange.reply(
      ListReply(
        signals: channels.map { channel in
          let isVisible = channel.access.maySubscribe(client)
          let connection = isVisible ? connection(of: channel) : nil
          return ListedSignal(
            channel, for: client, away: connection?.isConnected == false ? connection?.state : nil,
            calls: isVisible ? calls[channel.name]?.figures(at: now) : nil,
            failure: isVisible ? failures[channel.name]?.figures(at: now) : nil,
            refusal: isVisible ? refusals.present(in: channel.signal, at: now) : nil,
            pauses: pauses(of: channel, calls, for: client), severity: severity(of: channel, isVisible: isVisible))
        }))
  }

  /// Returns the severity of a signal, with its condition and the verdict on the held value for clients that may subscribe.
  private func severity(of channel: Channel, isVisible: Bool) -> JSONObject? {
    guard let severity = channel.signal.declaration.traits.severity else { return nil }
    var object: JSONObject = ["level": .string(severity.level.rawValue)]
    guard isVisible else { return object }
    if let condition = severity.condition { object["when"] = .string(condition) }
    guard let held = channel.signal.retained.last else { return object }
    object["active"] = .bool(severity.isActive(held.payload.value, of: channel.name, hub.runtime))
    return object
  }
}

extension ListedSignal {
  fileprivate init(
    _ channel: Channel, for client: ClientIdentity, away: JSONObject?, calls: JSONObject?,
    failure: JSONObject?, refusal: JSONObject?, pauses: [JSONObject], severity: JSONObject?
  ) {
    self.init(
      signal: channel.name, kind: ListedKind(channel.signal.kind),
      canSend: channel.signal.acceptsValues && channel.access.maySend(client),
      canSubscribe: channel.access.maySubscribe(client), isHeld: channel.signal.isHeld,
      end: WireProtocol.SignalEnd(of: channel, for: client), doc: channel.signal.declaration.traits.documentation,
      unit: channel.signal.declaration.traits.unit,
      precision: channel.signal.declaration.traits.precision, severity: severity, away: away, calls: calls,
      failure: failure, refusal: refusal, pauses: pauses)
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
