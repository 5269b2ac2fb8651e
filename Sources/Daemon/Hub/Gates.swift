/// The subscriptions that block senders, since they must not miss a value.
struct Gates {
  private var blocking = UnretainedSet<Subscription>()
  /// The inputs that each of them is registered with.
  private var inputs: [ObjectIdentifier: [Channel]] = [:]

  var subscriptions: [Subscription] { blocking.members }

  /// Makes senders to some inputs wait for a subscription.
  mutating func add(_ subscription: Subscription, before channels: [Channel]) {
    blocking.append(subscription)
    inputs[ObjectIdentifier(subscription)] = channels
    for channel in channels { channel.gates.append(subscription) }
  }

  /// Stops senders from waiting for a subscription.
  mutating func remove(_ subscription: Subscription) {
    guard blocking.remove(subscription) else { return }
    for channel in inputs.removeValue(forKey: ObjectIdentifier(subscription)) ?? [] {
      channel.gates.remove(subscription)
    }
  }
}
