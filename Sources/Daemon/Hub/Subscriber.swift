/// The client of a subscription.
protocol Subscriber: AnyObject {
  var identity: ClientIdentity { get }
  var sendBuffer: SendBuffer { get }
  /// The gate for senders to its signals.
  var gate: SendGate { get }

  /// Charges for the signals that a reload has added to a subscription.
  func charge(_ subscription: Subscription, covering signals: Int)
  /// Removes a subscription that has ended.
  func remove(_ subscription: Subscription)
}
