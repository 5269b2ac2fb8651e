import Glibc
import JSON
import SignalGraph
import WireProtocol

/// One signal as clients see it: its name, who may use it, and who listens.
final class Channel {
  let signal: RunningSignal
  private(set) var access: Access
  /// Events that slow clients have missed.
  let losses = Feed.Losses()
  let latency = Latency()
  private var audience = Audience<Feed>()
  private var feeds: [Feed] { audience.members }
  /// Whether one of the feeds has to know what a value is.
  private var looksInside = false
  /// Subscriptions to a cold signal, each with a run and a feed of its own.
  private var runs = 0
  private let turn: TurnBuffer
  private unowned let runtime: GraphRuntime
  let name: String
  /// A reload has removed the signal.
  private var isRetired = false
  private let nameBytes: [UInt8]
  /// Subscriptions that have whoever sends here wait for them.
  var gates: [Subscription] = []

  init(_ signal: RunningSignal, turn: TurnBuffer, runtime: GraphRuntime) {
    self.signal = signal
    self.turn = turn
    self.runtime = runtime
    name = signal.name
    nameBytes = Array(name.utf8)
    access = Access(signal.declaration)
    // The signal keeps its channel until `retire`; an unowned reference would cost a check for each event.
    signal.observer = { event in self.receive(event) }
  }

  var graph: String { String(name.prefix { $0 != "." }) }
  /// Whether a pattern means it; the daemon's own signals want to be named.
  func isCovered(by pattern: SignalPattern) -> Bool {
    pattern.matches(name) && (graph != "signalbox" || pattern.text.hasPrefix("signalbox."))
  }

  var subscriberCount: Int { runs + feeds.reduce(0) { $0 + $1.subscriptions.count } }

  /// Whether a line names this signal, as long as there is one.
  func isNamed(_ name: Span<UInt8>) -> Bool {
    if name.count != nameBytes.count || isRetired { return false }
    return name.withUnsafeBytes { name in
      nameBytes.withUnsafeBytes { own in
        guard let own = own.baseAddress, let other = name.baseAddress else { return false }
        return memcmp(own, other, name.count) == 0
      }
    }
  }

  /// Lets go of a signal that a reload has removed.
  func retire() {
    isRetired = true
    signal.observer = nil
  }

  /// Takes over what a reload applies in place.
  func refresh() {
    access = Access(signal.declaration)
    for feed in feeds { feed.hasBackpressure = hasBackpressure }
  }

  /// Whether subscribers may have its senders wait.
  var hasBackpressure: Bool { signal.declaration.traits.hasBackpressure }

  /// What a client that sends here has to wait for: a client other than itself that has no room for more.
  func gate(for sender: Outbox) -> Outbox? {
    gates.first { $0.outbox !== sender && $0.outbox.isFull }?.outbox
  }

  // MARK: Listeners

  /// The feed for subscriptions of a form, made when there is none.
  func feed(_ form: FeedForm, _ condition: Condition?) -> Feed {
    // Whoever joins it hears nothing of what came before.
    turn.closeBatch()
    if form.isShared, !signal.isCold, let feed = feeds.first(where: { $0.form == form }) { return feed }
    let rhythm = Rhythm(form, condition: condition, signal: signal, clock: runtime.clock)
    let feed = Feed(signal: signal.name, form: form, losses: losses, rhythm: rhythm)
    rhythm?.begin(feed, in: turn)
    feed.hasBackpressure = hasBackpressure
    if !signal.isCold {
      audience.append(feed)
      looksInside = looksInside || feed.looksInside
    }
    return feed
  }

  /// A subscription has arrived on a feed: what runs only for listeners begins.
  ///
  /// - Returns: The subscription's own run, of a cold signal.
  func begin(_ feed: Feed) -> ColdRun? {
    guard signal.isCold else {
      runtime.attach(to: signal)
      return nil
    }
    runs += 1
    return runtime.startRun(of: signal) { [unowned self] event in
      switch event {
      case .next(let payload, let sequence):
        feed.deliver(payload, sequence: sequence, in: turn)
        // It stops as soon as its subscription has what it has asked for.
        turn.closeBatch()
      case .ended(let ending): feed.deliver(ending: SubscriptionEvent(ending, of: name), in: turn)
      }
    }
  }

  /// Takes a subscription off, and its feed when nobody is left.
  func remove(_ subscription: Subscription, from feed: Feed) {
    // Either may be in the middle of an event.
    turn.keep(subscription)
    turn.keep(feed)
    feed.remove(subscription)
    if signal.isCold { runs -= 1 } else { runtime.detach(from: signal) }
    if feed.isEmpty && audience.remove(feed) { looksInside = feeds.contains(where: \.looksInside) }
  }

  /// Tells everyone that the daemon ends this signal for them, and why.
  func interrupt(_ reason: SubscriptionEvent.Reason) { end(.interrupted(signal: name, reason)) }

  /// Ends it for those who may not listen to it any more.
  func interruptDenied() {
    for feed in feeds {
      for subscription in feed.subscriptions where !access.maySubscribe(subscription.identity) {
        subscription.interrupt(feed, .denied)
      }
    }
  }

  /// Whether a value that is sent here goes to subscribers as it came, and is of no use to anybody else.
  var isRelay: Bool { !looksInside && signal.isRelay }

  /// Passes a value on to subscribers as the text that its sender wrote, which is known to be valid.
  func relay(_ text: Span<UInt8>) {
    let sequence = signal.relay()
    forEachFeed { $0.relay(text, sequence: sequence, in: turn) }
  }

  private func receive(_ event: SignalEvent) {
    switch event {
    case .next(let payload, let sequence):
      forEachFeed { $0.deliver(payload, sequence: sequence, in: turn) }
    case .ended(let ending): end(SubscriptionEvent(ending, of: name))
    }
  }

  @inline(__always)
  private func forEachFeed(_ hand: (Feed) -> Void) {
    if audience.isEmpty { return }
    turn.note(latency)
    audience.beginVisit()
    var place = 0
    while place < audience.placeCount {
      audience[place]?._withUnsafeGuaranteedRef(hand)
      place += 1
    }
    audience.endVisit()
  }

  private func end(_ event: SubscriptionEvent) {
    for feed in feeds { feed.deliver(ending: event, in: turn) }
  }
}

extension SubscriptionEvent {
  /// The event that tells of a signal's ending.
  init(_ ending: SignalEnding, of signal: String) {
    switch ending {
    case .completed: self = .completed(signal: signal)
    case .failed(let failure): self = .failed(signal: signal, Failure(code: failure.code, message: failure.message))
    case .interrupted: self = .interrupted(signal: signal, nil)
    }
  }
}
