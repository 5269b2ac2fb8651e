import JSON
import SignalGraph
import WireProtocol

extension Dispatcher {
  func subscribe(_ request: SubscribeRequest, _ exchange: Exchange) throws(WireError) {
    let session = exchange.session
    let condition = try request.where.map { source throws(WireError) in
      try WhereClause(source, limits: hub.runtime.configuration.server.limits)
    }
    let subscription = Subscription(Subscription.Options(request, condition), of: session)
    if session[subscription.key] != nil { throw alreadySubscribed(request) }
    let channels = try channels(for: request, exchange.client)
    if request.overflow == .block { try requireBackpressure(of: channels) }
    let first = try channels.map { channel throws(WireError) in try retained(of: channel, for: request) }
    try session.add(subscription, covering: channels.count)
    hub.add(subscription)
    exchange.reply(SubscribeReply(signals: channels.map { ($0.name, $0.signal.isCold ? 0 : $0.signal.sequence) }))
    for (channel, entries) in zip(channels, first) { subscription.begin(channel, with: entries) }
    if subscription.gate != nil && !subscription.isOver { hub.hold(for: subscription) }
  }

  private func requireBackpressure(of channels: [Channel]) throws(WireError) {
    guard let channel = channels.first(where: { !$0.hasBackpressure }) else { return }
    throw WireError(
      .badRequest, "\"overflow\":\"block\" needs backpressure: true in the declaration of \"\(channel.name)\"")
  }

  private func channels(for request: SubscribeRequest, _ client: ClientIdentity) throws(WireError) -> [Channel] {
    if request.signal.isName { return [try channel(toSubscribe: request.signal.text, for: client)] }
    return hub.channels(coveredBy: request.signal, for: client)
  }

  private func alreadySubscribed(_ request: SubscribeRequest) -> WireError {
    if let label = request.subscription {
      return WireError(.alreadySubscribed, "there is a subscription \"\(label)\" on this connection already")
    }
    return WireError(
      .alreadySubscribed,
      "\"\(request.signal.text)\" is subscribed already; a label (\"subscription\") makes a second one possible")
  }

  // MARK: Retained values

  /// The retained values that a request may choose from.
  private func retained(of channel: Channel, for request: SubscribeRequest) throws(WireError) -> [Retention.Entry] {
    let retention = channel.signal.retained
    guard let from = request.from else { return retention.latest(retention.count) }
    let last = channel.signal.sequence
    let oldest = retention.latest(retention.count).first?.sequence ?? last + 1
    guard request.epoch == control.epoch else {
      throw expired("the daemon has been restarted since: this is another epoch", oldest: oldest)
    }
    guard from <= last else {
      throw WireError(.badRequest, "\"from\" is \(from), and the last value of \"\(channel.name)\" so far is \(last)")
    }
    guard from + 1 >= oldest else {
      throw expired("values after \(from) are not retained any more", oldest: oldest)
    }
    return retention.latest(Int(last - from))
  }

  private func expired(_ message: String, oldest: UInt64) -> WireError {
    WireError(.expired, message, details: ["oldest": .number(Double(oldest))])
  }
}

extension Subscription.Options {
  fileprivate init(_ request: SubscribeRequest, _ condition: WhereClause?) {
    pattern = request.signal
    form = EventForm(
      label: request.subscription, hasTimestamps: request.timestamps ?? false, condition: condition?.source,
      every: request.every?.duration, heartbeat: request.heartbeat?.duration)
    self.condition = condition
    replay = request.replay.map { Int(clamping: $0) }
    take = request.take?.value
    overflow = request.overflow ?? .dropOldest
  }
}
