import Glibc
import JSON
import ReactiveCore
import SignalGraph
import WireProtocol

/// One signal as clients see it: its name, who may use it, and who listens.
final class Channel {
  let signal: RunningSignal
  private(set) var access: Access
  /// Events that slow clients have missed.
  let losses = EventStream.Losses()
  let latency = Latency()
  private var audience = Audience<Feed>()
  private var feeds: [Feed] { audience.members }
  /// The feeds that others with the same wishes share.
  private var sharedFeeds: [EventForm: Feed] = [:]
  /// How many of the feeds have to know what a value is.
  private var feedsLookingInside = 0
  /// How many subscriptions listen, and how many of those leave after some number of values.
  private(set) var subscriberCount = 0
  private var countingSubscribers = 0
  private let turn: Turn
  private unowned let runtime: GraphRuntime
  private let epochs: Epochs
  let name: String
  /// A reload has removed the signal.
  private var isRetired = false
  /// The kind of epoch of which subscribers were told.
  private var isDurable: Bool
  private let nameBytes: [UInt8]
  /// Subscriptions for which those wait who send here.
  var gates = Audience<Subscription>()
  /// Whether what is sent here enters a durable graph, perhaps by way of others: then senders wait for the disk.
  var feedsDurable = false

  init(_ signal: RunningSignal, turn: Turn, runtime: GraphRuntime, epochs: Epochs) {
    self.signal = signal
    self.turn = turn
    self.runtime = runtime
    self.epochs = epochs
    name = signal.name
    nameBytes = Array(name.utf8)
    access = Access(signal.declaration)
    isDurable = signal.declaration.isDurable
    // The signal keeps its channel until `retire`; an unowned reference would cost a check for each event.
    signal.observer = { event in self.receive(event) }
    signal.willForget = { for feed in self.feeds { feed.rouse() } }
  }

  var graph: String { SignalName.graph(of: name) }

  /// The epoch in which its numbers count.
  var epoch: String { epochs.epoch(of: signal.declaration) }

  /// The same, where that is not the daemon's, which `hello` tells.
  var ownEpoch: String? { epoch == epochs.process ? nil : epoch }

  /// Whether a pattern means it; the daemon's own signals want to be named.
  func isCovered(by pattern: SignalPattern) -> Bool {
    pattern.matches(name) && (graph != "signalbox" || pattern.text.hasPrefix("signalbox."))
  }

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
    signal.willForget = nil
  }

  /// Takes over what a reload applies in place.
  ///
  /// - Returns: Whether its access rules have changed.
  func refresh() -> Bool {
    let before = access
    access = Access(signal.declaration)
    for feed in feeds where feed.hasBackpressure != hasBackpressure { feed.hasBackpressure = hasBackpressure }
    if signal.declaration.isDurable != isDurable {
      isDurable = signal.declaration.isDurable
      tellEpoch()
    }
    return access != before
  }

  /// Tells those who listen in which epoch its numbers count from now on.
  private func tellEpoch() {
    for feed in feeds {
      // Those who may not hear it any more are about to be told just that.
      let listeners = feed.subscriptions.filter { access.maySubscribe($0.identity) }
      if listeners.isEmpty { continue }
      deliverPending(of: feed)
      for subscription in listeners { subscription.receive(.renewed(signal: name, epoch: epoch), of: feed) }
    }
  }

  /// Hands on the value that waits on a feed, before another word comes.
  private func deliverPending(of feed: Feed) {
    feed.deliverPending(in: turn)
    turn.closeBatch()
  }

  /// Whether subscribers may have its senders wait.
  var hasBackpressure: Bool { signal.declaration.traits.hasBackpressure }

  /// The client that a sender has to wait for: one other than itself that has no room for more.
  func shutGate(for sender: Outbox) -> SendGate? {
    for place in 0..<gates.placeCount {
      if let gate = gates[place]?.takeUnretainedValue().gate, gate.isShut(for: sender) { return gate }
    }
    return nil
  }

  // MARK: Listeners

  /// Takes a subscription in, on a feed of its form; it hears nothing of what came before.
  func add(_ subscription: Subscription, _ form: EventForm, _ condition: WhereClause?) -> Feed {
    turn.closeBatch()
    // Of a signal that is becoming cold, those who have not moved over yet still share a feed.
    let feed = (signal.isCold ? nil : sharedFeeds[form]) ?? makeFeed(form, condition)
    feed.add(subscription)
    subscriberCount += 1
    if subscription.isCounting { countingSubscribers += 1 }
    if !feed.isOwn { signal.arrive() }
    return feed
  }

  private func makeFeed(_ form: EventForm, _ condition: WhereClause?) -> Feed {
    let rhythm = Rhythm(form, condition: condition, signal: signal, clock: runtime.clock, timers: turn.clock)
    let feed = Feed(
      signal: name, clock: runtime.clock, form: form, isOwn: signal.isCold, losses: losses, rhythm: rhythm)
    rhythm?.begin(feed, in: turn)
    feed.hasBackpressure = hasBackpressure
    audience.append(feed)
    if feed.looksInside { feedsLookingInside += 1 }
    if form.isShared && !feed.isOwn { sharedFeeds[form] = feed }
    return feed
  }

  /// A subscription listens from now on: what runs only for listeners begins.
  ///
  /// - Parameter sequence: The number after which its own run begins to count.
  /// - Returns: The subscription's own run, of a cold signal.
  func begin(_ feed: Feed, after sequence: UInt64) -> ColdRun? {
    guard feed.isOwn else {
      runtime.wake(signal)
      return nil
    }
    return runtime.startRun(of: signal, after: sequence) { [unowned self] in take($0, for: feed) }
  }

  /// Takes an event of a run for its one subscription.
  private func take(_ event: SignalEvent, for feed: Feed) {
    switch event {
    case .next(let payload, let sequence):
      feed.deliver(payload, sequence: sequence, in: turn)
      // It stops as soon as its subscription has what it has asked for.
      turn.closeBatch()
    case .ended(let ending): feed.deliver(ending: SubscriptionEvent(ending, of: name), in: turn)
    }
  }

  /// Takes a subscription off, and its feed when nobody is left.
  func forget(_ subscription: Subscription, on feed: Feed) {
    // Either may be in the middle of an event.
    turn.keep(subscription)
    turn.keep(feed)
    feed.forget(subscription)
    subscriberCount -= 1
    if subscription.isCounting { countingSubscribers -= 1 }
    if !feed.isOwn { runtime.detach(from: signal) }
    guard feed.isEmpty, audience.remove(feed) else { return }
    if feed.looksInside { feedsLookingInside -= 1 }
    if sharedFeeds[feed.form] === feed { sharedFeeds[feed.form] = nil }
  }

  /// Tells everyone that the daemon ends this signal for them, and why.
  func interrupt(_ reason: SubscriptionEvent.Reason) { end(.interrupted(signal: name, reason)) }

  /// Has each of those who listen go on, move over or end, now that something else may stand behind the name.
  ///
  /// - Parameter successor: The channel that stands there now; `nil` if none does.
  func handOver(to successor: Channel?) {
    for feed in feeds {
      for subscription in feed.subscriptions {
        switch Fate(of: subscription, on: feed, successor) {
        case .goesOn: break
        case .movesOver:
          deliverPending(of: feed)
          subscription.moveOver(on: self)
        case .ends(let reason):
          // Of a signal that it may not hear any more it is told nothing, not even an older value.
          if reason != .denied { deliverPending(of: feed) }
          subscription.interrupt(feed, reason)
        }
      }
    }
  }

  /// Whether a value that is sent here goes to subscribers as it came, and is of no use to anybody else.
  var isRelay: Bool { feedsLookingInside == 0 && signal.isRelay }

  /// Passes a value on to subscribers as the text that its sender wrote, which is known to be valid.
  func relay(_ text: Span<UInt8>) {
    let sequence = signal.relay()
    forEachFeed { $0.relay(text, sequence: sequence, in: turn) }
  }

  private func receive(_ event: SignalEvent) {
    switch event {
    case .next(let payload, let sequence):
      forEachFeed { $0.deliver(payload, sequence: sequence, in: turn) }
      // It stops with the turn in which its last subscriber has what it has asked for, whatever came together.
      if countingSubscribers > 0 && signal.isLazy { turn.closeBatch() }
    case .ended(let ending): end(SubscriptionEvent(ending, of: name))
    }
  }

  /// Hands a value to each feed that hears of it now.
  @inline(__always)
  private func forEachFeed(_ hand: (Feed) -> Void) {
    if audience.isEmpty { return }
    audience.beginVisit()
    var place = 0
    while place < audience.placeCount {
      audience[place]?._withUnsafeGuaranteedRef { feed in
        if feed.isResting { return }
        turn.latencies.note(latency)
        hand(feed)
      }
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
    case .failed(let failure): self = .failed(signal: signal, Failure(failure))
    case .interrupted: self = .interrupted(signal: signal, nil)
    }
  }
}

// MARK: - Handing over

extension Channel {
  /// Writes down who listens, in the order in which they are told.
  ///
  /// - Parameter number: The number under which a subscription is written down.
  func store(in writer: inout StateWriter, number: (Subscription) -> Int) {
    losses.count.store(in: &writer)
    latency.store(in: &writer)
    let feeds = feeds
    writer.count(feeds.count)
    for feed in feeds {
      let subscriptions = feed.subscriptions
      writer.count(subscriptions.count)
      for subscription in subscriptions {
        number(subscription).store(in: &writer)
        subscription.run(on: feed)?.number.store(in: &writer) ?? UInt64(0).store(in: &writer)
      }
      feed.storeRhythm(in: &writer)
    }
  }

  /// Has those listen again who listened, while the graphs go on from their state.
  func restore(
    from reader: inout StateReader, subscription: (Int) throws(StateError) -> Subscription
  ) throws(StateError) {
    losses.count = try UInt64(from: &reader)
    try latency.restore(from: &reader)
    for _ in 0..<(try reader.count()) {
      var feed: Feed?
      for _ in 0..<(try reader.count()) {
        let listener = try subscription(try Int(from: &reader))
        feed = listener.adopt(self, run: try UInt64(from: &reader))
      }
      try feed?.restoreRhythm(from: &reader)
    }
  }

  /// Has the run of a cold signal go on for its subscription.
  func resume(_ feed: Feed, run number: UInt64) -> ColdRun? {
    guard feed.isOwn else { return nil }
    return runtime.resumeRun(of: signal, number: number) { [unowned self] in take($0, for: feed) }
  }

  /// A stream of its events to which nobody listens any more, for what is still to be said of it.
  func stray(_ form: EventForm) -> EventStream {
    EventStream(signal: name, clock: runtime.clock, form: form, losses: losses)
  }
}
