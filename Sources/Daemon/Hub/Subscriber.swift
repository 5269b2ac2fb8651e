/// The client of a subscription.
protocol Subscriber: AnyObject {
  var identity: ClientIdentity { get }
  var outbox: Outbox { get }
  /// Where those wait who send to what it listens to.
  var gate: SendGate { get }

  /// Charges for what a reload has added to a subscription.
  func charge(_ subscription: Subscription, covering signals: Int)
  /// A subscription is over.
  func forget(_ subscription: Subscription)
}
