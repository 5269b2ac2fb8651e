/// Which senders wait for subscribers that want every value.
struct Gates {
  private var blocking = Audience<Subscription>()
  /// Before which inputs each of them stands.
  private var inputs: [ObjectIdentifier: [Channel]] = [:]

  var subscriptions: [Subscription] { blocking.members }

  /// Has those who send to some inputs wait for a subscription.
  mutating func add(_ subscription: Subscription, before channels: [Channel]) {
    blocking.append(subscription)
    inputs[ObjectIdentifier(subscription)] = channels
    for channel in channels { channel.gates.append(subscription) }
  }

  /// Has nobody wait for a subscription any more.
  mutating func forget(_ subscription: Subscription) {
    guard blocking.remove(subscription) else { return }
    for channel in inputs.removeValue(forKey: ObjectIdentifier(subscription)) ?? [] {
      channel.gates.remove(subscription)
    }
  }
}
