/// The events that clients are expected to receive, by the rules of their subscriptions.
final class StormDeliveries {
  /// By client, label and signal.
  private var told: [Int: [String: [String]]] = [:]

  func take(by client: Int) -> [String: [String]] { told.removeValue(forKey: client) ?? [:] }

  func deliver(_ value: Int, _ sequence: Int, _ name: String, to subscription: StormSubscription) {
    if subscription.isOver || !subscription.wish.wants(value) { return }
    if subscription.wish.isPaced {
      let isFirst = subscription.waiting[name] == nil
      subscription.waiting[name] = isFirst ? .some(nil) : (value, sequence)
      if !isFirst { return }
    }
    pass(value, sequence, name, to: subscription)
  }

  /// Delivers the waiting value; the next passes at once.
  func tellWaiting(_ subscription: StormSubscription, _ name: String) {
    guard let waiting = subscription.waiting.removeValue(forKey: name), let waiting else { return }
    pass(waiting.value, waiting.sequence, name, to: subscription)
  }

  private func pass(_ value: Int, _ sequence: Int, _ name: String, to subscription: StormSubscription) {
    if subscription.isOver { return }
    tell(subscription, name, "next", #","seq":\#(sequence),"value":\#(value)"#)
    guard let remaining = subscription.remaining else { return }
    subscription.remaining = remaining - 1
    guard remaining == 1 else { return }
    tell(subscription, name, "ended", #","reason":"take""#)
    end(subscription)
  }

  func tellCompleted(_ subscription: StormSubscription, _ name: String) {
    tellWaiting(subscription, name)
    tell(subscription, name, "completed", "")
    detach(subscription, name)
  }

  func interrupt(_ subscription: StormSubscription, _ name: String, _ reason: String) {
    if reason != "denied" { tellWaiting(subscription, name) }
    tell(subscription, name, "interrupted", #","reason":"\#(reason)""#)
    detach(subscription, name)
  }

  private func detach(_ subscription: StormSubscription, _ name: String) {
    subscription.attachments[name] = nil
    subscription.waiting[name] = nil
    if !subscription.wish.pattern.contains("*") { end(subscription) }
  }

  func end(_ subscription: StormSubscription) {
    subscription.isOver = true
    subscription.attachments = [:]
  }

  func tell(_ subscription: StormSubscription, _ name: String, _ event: String, _ rest: String) {
    if subscription.isOver { return }
    let label = subscription.wish.label.map { #","subscription":"\#($0)""# } ?? ""
    let line = #"{"event":"\#(event)"\#(label),"signal":"g.\#(name)"\#(rest)}"#
    told[subscription.client, default: [:]]["\(label)g.\(name)", default: []].append(line)
  }
}
