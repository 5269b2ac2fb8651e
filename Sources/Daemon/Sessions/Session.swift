import Linux
import SignalGraph
import WireProtocol

/// One client: who it is, what it listens to, and what it has used.
final class Session {
  /// What a subscription is ended by: its label, or the pattern of one that has none.
  enum SubscriptionKey: Hashable {
    case label(String)
    case pattern(String)
  }

  let identity: ClientIdentity
  let outbox: Outbox
  private let dispatcher: Dispatcher
  private let account: Account
  private var limits: ClientLimits
  private var sends: SendMeter
  private var subscriptions: [SubscriptionKey: Subscription] = [:]
  private var calls: [RequestID: RunningCall] = [:]
  /// The signal that was last sent to: most clients send to one.
  var lastChannel: Channel?
  /// Values that this client has sent.
  var receivedValues: UInt64 = 0
  private var droppedBefore: UInt64 = 0

  init(_ identity: ClientIdentity, outbox: Outbox, account: Account, limits: ClientLimits, dispatcher: Dispatcher) {
    self.identity = identity
    self.account = account
    self.limits = limits
    sends = SendMeter(rate: limits.sends)
    self.outbox = outbox
    self.dispatcher = dispatcher
  }

  /// Whether something may still come without having been asked for anew.
  var isAwaitingEvents: Bool { !subscriptions.isEmpty || !calls.isEmpty }
  var subscriptionCount: Int { subscriptions.count }
  var droppedEvents: UInt64 { subscriptions.values.reduce(droppedBefore) { $0 + $1.dropped } }

  /// Carries out a line; `nil` stands for one that was too long.
  func carryOut(_ line: Span<UInt8>?) -> LineSplitter.Flow { dispatcher.carryOut(line, for: self) }

  subscript(key: SubscriptionKey) -> Subscription? { subscriptions[key] }

  /// Takes a subscription in, if its client may hold one more.
  func add(_ subscription: Subscription, covering signals: Int) throws(WireError) {
    if subscriptions.count >= limits.subscriptions {
      throw WireError(
        .tooMany, "more than \(limits.subscriptions) subscriptions of one client (limits.client.subscriptions)")
    }
    try account.addSubscription()
    let charge = subscription.weight(covering: signals)
    guard outbox.reserve(charge) else {
      account.removeSubscription()
      throw WireError(.tooMany, "this connection's subscriptions hold as much as it may (limits.output)")
    }
    subscriptions[subscription.key] = subscription
    subscription.charge = charge
  }

  func forget(_ subscription: Subscription) {
    guard subscriptions.removeValue(forKey: subscription.key) != nil else { return }
    account.removeSubscription()
    droppedBefore += subscription.dropped
    _ = outbox.reserve(-subscription.charge)
    dispatcher.hub.forget(subscription)
  }

  // MARK: Sending

  /// Takes over limits that a reload has changed.
  func apply(_ limits: ClientLimits) {
    self.limits = limits
    sends.set(rate: limits.sends)
  }

  /// Counts values that this client has sent.
  func hasSent(_ values: Int) {
    receivedValues &+= UInt64(values)
    sends.count(values)
    account.sends.count(values)
  }

  /// How long this client has to wait before it may send, by the rates that it is held to; `nil` for not at all.
  func sendDelay(at now: MonotonicInstant) -> Duration? {
    if sends.isUnlimited && account.sends.isUnlimited { return nil }
    return [sends.wait(at: now), account.sends.wait(at: now)].compactMap(\.self).max()
  }

  // MARK: Calls

  func isCalling(_ id: RequestID) -> Bool { calls[id] != nil }

  func add(_ call: RunningCall) { calls[call.id] = call }

  func forget(_ call: RunningCall) { calls[call.id] = nil }

  /// Ends all subscriptions and calls.
  func end() {
    for subscription in subscriptions.values { subscription.end() }
    for call in calls.values { call.cancel() }
  }
}
