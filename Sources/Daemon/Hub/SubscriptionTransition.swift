import GraphEngine
import WireProtocol

/// The transition of a subscription after the channel behind its name, or its right to subscribe, has changed.
///
/// It is decided here alone, for reloads and restarts, shared and cold signals, names and patterns.
enum SubscriptionTransition {
  /// The subscription stays; the signal may have restarted.
  case keep
  /// The subscription moves to a run of its own when the signal has become cold, or to a shared delivery group when it
  /// no longer is.
  case move
  case ends(SubscriptionEvent.Reason)

  /// - Parameter channel: The channel that has the name now; `nil` if the name is gone.
  init(of subscription: Subscription, on group: DeliveryGroup, _ channel: Channel?) {
    guard let channel else {
      self = .ends(.removed)
      return
    }
    if !channel.access.maySubscribe(subscription.identity) {
      self = .ends(.denied)
    } else if group.isOwn == channel.signal.isCold {
      self = .keep
    } else {
      // Patterns do not cover cold signals.
      self = channel.signal.isCold && !subscription.pattern.isName ? .ends(.removed) : .move
    }
  }
}
