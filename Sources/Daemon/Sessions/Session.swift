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
  private var subscriptions: [SubscriptionKey: Subscription] = [:]
  /// The signal that was last sent to: most clients send to one.
  var lastChannel: Channel?
  /// Values sent to this client, and those that it has sent.
  var sentValues: UInt64 = 0
  var receivedValues: UInt64 = 0
  private var droppedBefore: UInt64 = 0

  init(_ identity: ClientIdentity, outbox: Outbox, dispatcher: Dispatcher) {
    self.identity = identity
    self.outbox = outbox
    self.dispatcher = dispatcher
  }

  /// Whether something may still come without having been asked for anew.
  var isAwaitingEvents: Bool { !subscriptions.isEmpty }
  var subscriptionCount: Int { subscriptions.count }
  var droppedEvents: UInt64 { subscriptions.values.reduce(droppedBefore) { $0 + $1.dropped } }

  /// Carries out a line; `nil` stands for one that was too long.
  func carryOut(_ line: Span<UInt8>?) -> LineSplitter.Flow { dispatcher.carryOut(line, for: self) }

  subscript(key: SubscriptionKey) -> Subscription? { subscriptions[key] }

  /// Takes a subscription in, if its client may hold one more.
  func add(_ subscription: Subscription, covering signals: Int) -> Bool {
    let charge = subscription.weight(covering: signals)
    guard outbox.reserve(charge) else { return false }
    subscriptions[subscription.key] = subscription
    subscription.charge = charge
    return true
  }

  func forget(_ subscription: Subscription) {
    guard subscriptions.removeValue(forKey: subscription.key) != nil else { return }
    droppedBefore += subscription.dropped
    _ = outbox.reserve(-subscription.charge)
    dispatcher.hub.forget(subscription)
  }

  /// Ends all subscriptions.
  func end() {
    for subscription in subscriptions.values { subscription.end() }
  }
}
