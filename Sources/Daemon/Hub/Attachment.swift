import SignalGraph

/// A signal that a subscription listens to, and the form in which it gets its events.
struct Attachment {
  let channel: Channel
  let feed: Feed
  /// Of a cold signal.
  var run: ColdRun?

  func end(_ subscription: Subscription) {
    run?.stop()
    channel.forget(subscription, on: feed)
  }
}

/// The attachments of a subscription, by the names of their signals: most have one.
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
