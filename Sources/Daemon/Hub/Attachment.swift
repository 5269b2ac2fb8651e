import GraphEngine

/// One signal of a subscription, and the delivery group that delivers its events.
struct Attachment {
  let channel: Channel
  let group: DeliveryGroup
  /// The run of a cold signal.
  var run: ColdRun?

  func end(_ subscription: Subscription) {
    run?.stop()
    channel.remove(subscription, on: group)
  }
}

/// The attachments of a subscription, keyed by signal name.
///
/// Most subscriptions have one.
struct Attachments {
  private var only: Attachment?
  private var others: [String: Attachment] = [:]

  var count: Int { (only == nil ? 0 : 1) + others.count }
  var all: [Attachment] { (only.map { [$0] } ?? []) + others.values }

  subscript(name: String) -> Attachment? {
    get { only?.channel.name == name ? only : others[name] }
    set {
      if only.map({ $0.channel.name == name }) ?? others.isEmpty { only = newValue } else { others[name] = newValue }
    }
  }
}
