import SignalGraph
import WireProtocol

/// The fate of a subscription to a signal when the channel behind its name, or the right to listen, has changed.
///
/// It is decided here and nowhere else, for reloads and restarts, shared signals and cold ones, names and patterns.
enum Fate {
  /// It hears the signal as before, which may begin afresh.
  case goesOn
  /// It hears the signal in another way: each by itself what is cold now, all together what is not cold any more.
  case movesOver
  case ends(SubscriptionEvent.Reason)

  /// - Parameter channel: The channel behind the name now; `nil` if there is none.
  init(of subscription: Subscription, on feed: Feed, _ channel: Channel?) {
    guard let channel else {
      self = .ends(.removed)
      return
    }
    if !channel.access.maySubscribe(subscription.identity) {
      self = .ends(.denied)
    } else if feed.isOwn == channel.signal.isCold {
      self = .goesOn
    } else {
      // Patterns do not cover cold signals.
      self = channel.signal.isCold && !subscription.pattern.isName ? .ends(.removed) : .movesOver
    }
  }
}
