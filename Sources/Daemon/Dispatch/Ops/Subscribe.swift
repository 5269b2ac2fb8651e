import GraphEngine
import GraphModel
import JSON
import WireProtocol

extension SubscribeRequest: DaemonRequest {
  static var looksThroughSignals: Bool { true }

  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.subscribe(self, exchange)
    return .next
  }
}

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
    // A pattern is there for the signals of other graphs as well.
    let unknown = request.signal.isName ? [] : channels.filter { hub.isUnknown($0) && !hub.isReading($0) }
    let unknownNames = Set(unknown.map(\.name))
    let known = channels.filter { !unknownNames.contains($0.name) }
    let beginnings = try known.map { channel throws(WireError) in try beginning(of: channel, for: request) }
    try session.add(subscription, covering: channels.count)
    hub.add(subscription)
    exchange.reply(SubscribeReply(to: request, known))
    for channel in unknown { subscription.await(channel, from: request.from?.place(of: channel.name)) }
    for (channel, beginning) in zip(known, beginnings) { subscription.begin(channel, with: beginning) }
    // A lazy signal that starts may start others; by now all have their subscription.
    for channel in known { subscription.start(channel) }
    if subscription.gate != nil && !subscription.isOver { hub.hold(for: subscription) }
  }

  private func requireBackpressure(of channels: [Channel]) throws(WireError) {
    guard let channel = channels.first(where: { !$0.hasBackpressure }) else { return }
    throw WireError(
      .badRequest, "\"overflow\":\"block\" requires backpressure: true in the declaration of \"\(channel.name)\"")
  }

  private func channels(for request: SubscribeRequest, _ client: ClientIdentity) throws(WireError) -> [Channel] {
    if request.signal.isName { return [try channel(toSubscribe: request.signal.text, for: client)] }
    return hub.channels(coveredBy: request.signal, for: client)
  }

  private func alreadySubscribed(_ request: SubscribeRequest) -> WireError {
    if let label = request.subscription {
      return WireError(.alreadySubscribed, "duplicate subscription \"\(label)\" on this connection")
    }
    return WireError(
      .alreadySubscribed,
      "\"\(request.signal.text)\" is already subscribed; a second subscription needs a label (\"subscription\")")
  }

  // MARK: Retained values

  /// Returns the first events for a new subscription, before its form selects among the values.
  private func beginning(
    of channel: Channel, for request: SubscribeRequest
  ) throws(WireError) -> Subscription.Beginning {
    // A pattern is there for the signals of other graphs as well, and is refused only for what is sure to be a moment.
    let mustKnow = request.signal.isName || request.from != nil || hub.isReading(channel)
    if mustKnow, let ignorance = hub.ignorance(of: channel) { throw ignorance }
    let retention = channel.signal.retained
    let all = Subscription.Beginning(entries: retention.latest(retention.count))
    switch request.from {
    case nil: return all
    case .after(let from):
      let oldest = oldest(of: channel)
      guard request.epoch == channel.epoch else {
        throw expired("the epoch has changed: sequence numbers were restarted", oldest: oldest, epoch: channel.epoch)
      }
      let after = try after(from, of: channel)
      guard from + 1 >= oldest else {
        throw expired("values after \(from) are no longer retained", oldest: oldest)
      }
      return after
    case .places(let places):
      guard let place = places[channel.name], place.epoch == channel.epoch else {
        return channel.beginning(after: places[channel.name])
      }
      return try after(place.seq, of: channel)
    }
  }

  /// Returns the values after a number, preceded by the count of those that are no longer retained.
  private func after(_ from: UInt64, of channel: Channel) throws(WireError) -> Subscription.Beginning {
    let last = channel.signal.sequence
    guard from <= last else {
      if hub.mayLag(channel) {
        throw WireError(
          .unavailable, "\"\(channel.name)\": this node has read its log up to value \(last), which is before \(from)")
      }
      throw WireError(.badRequest, "\"from\" is \(from), but the last value of \"\(channel.name)\" is \(last)")
    }
    return channel.beginning(after: from)
  }

  /// Returns the number of the oldest retained value, or of the next value.
  private func oldest(of channel: Channel) -> UInt64 {
    let retention = channel.signal.retained
    return retention.latest(retention.count).first?.sequence ?? channel.signal.sequence + 1
  }

  /// - Parameter epoch: The current epoch, if the client refers to another.
  private func expired(_ message: String, oldest: UInt64, epoch: String? = nil) -> WireError {
    var details: JSONObject = ["oldest": .number(Double(oldest))]
    details["epoch"] = epoch.map { .string($0) }
    return WireError(.expired, message, details: details)
  }
}

extension SubscribeReply {
  /// For a single name, the epoch is a field of the reply; for a pattern, only signals whose epoch differs from
  /// `hello`'s have one.
  fileprivate init(to request: SubscribeRequest, _ channels: [Channel]) {
    let isName = request.signal.isName
    self.init(
      signals: channels.map { channel in
        Signal(
          channel.name, seq: channel.signal.isCold ? 0 : channel.signal.sequence,
          epoch: isName ? nil : channel.ownEpoch)
      }, epoch: isName ? channels.first?.epoch : nil)
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
