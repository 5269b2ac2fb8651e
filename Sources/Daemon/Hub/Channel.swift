import Glibc
import GraphEngine
import GraphModel
import JSON
import Signals
import WireProtocol

/// One signal as clients see it: its name, its access rules and its subscriptions.
final class Channel {
  let signal: RunningSignal
  private(set) var access: Access
  /// The count of events that slow clients have missed; made with the first delivery group.
  private(set) var losses: EventEncoder.Losses?
  /// Made with the first delivery, as most signals have no subscribers.
  private(set) var latency: Latency?
  private var recipients = UnretainedSet<DeliveryGroup>()
  private var groups: [DeliveryGroup] { recipients.members }
  /// Delivery groups that subscriptions of equal form share.
  private var sharedGroups: [EventForm: DeliveryGroup] = [:]
  /// The number of delivery groups that have to parse values.
  private var groupsLookingInside = 0
  /// The number of subscriptions, and of those that end after a number of values.
  private(set) var subscriberCount = 0
  private var countingSubscribers = 0
  private let iteration: LoopIteration
  private unowned let runtime: GraphRuntime
  private let epochs: Epochs
  /// True once a reload has removed the signal.
  private var isRetired = false
  /// The home in whose epoch sequence numbers count, as announced to subscribers; `nil` for that of the process.
  private var home: Home?
  /// Subscriptions that senders to this signal have to wait for.
  var gates = UnretainedSet<Subscription>()
  /// The commits of a durable signal's home, if that is open.
  var commits: Commits?
  /// The commits of the homes that values sent here enter, perhaps through other signals: senders then wait for these.
  var fedCommits: [Commits] = []
  /// The signals with full queues of calls or messages that values sent here enter: senders and sources wait for these.
  var fullQueues: [String] = []
  var isCongested: Bool { !fullQueues.isEmpty }
  /// True if a sender may have to wait for the disk or for calls.
  @inline(__always) var mayHoldSenders: Bool { !fedCommits.isEmpty || !fullQueues.isEmpty }

  init(_ signal: RunningSignal, iteration: LoopIteration, runtime: GraphRuntime, epochs: Epochs) {
    self.signal = signal
    self.iteration = iteration
    self.runtime = runtime
    self.epochs = epochs
    access = Access(signal.declaration)
    home = signal.declaration.home
    // The signal owns its channel until `retire`; an unowned reference would cost a check for each event.
    signal.observer = { event in self.receive(event) }
    signal.willDiscard = {
      self.signal.metric?.endAll()
      for group in self.groups { group.wake() }
    }
    setMetric()
  }

  /// Adopts the metric of the declaration; series under an equal one remain.
  private func setMetric() {
    guard let metric = signal.declaration.traits.metric else { return signal.metric = nil }
    if signal.metric?.serves(metric) == true { return }
    signal.metric = MetricSeries(metric, of: name, runtime)
  }

  var name: String { signal.name }
  var graph: String { SignalName.graph(of: name) }

  /// The epoch of the signal's sequence numbers.
  var epoch: String { epochs.epoch(of: home) }

  /// The epoch of the signal's sequence numbers where it differs from the daemon's, which `hello` announces.
  var ownEpoch: String? { epoch == epochs.process ? nil : epoch }

  /// Indicates that the pattern covers this signal; only `signalbox.…` covers the daemon's own signals.
  func isCovered(by pattern: SignalPattern) -> Bool {
    pattern.matches(name) && (graph != "signalbox" || pattern.text.hasPrefix("signalbox."))
  }

  /// Indicates that a name in a request line is that of this signal, unless it has been removed.
  func isNamed(_ name: Span<UInt8>) -> Bool {
    let text = signal.name
    let own = text.utf8.span
    if name.count != own.count || isRetired { return false }
    return name.withUnsafeBytes { name in
      own.withUnsafeBytes { own in
        guard let own = own.baseAddress, let other = name.baseAddress else { return false }
        return memcmp(own, other, name.count) == 0
      }
    }
  }

  /// Disconnects from a signal that a reload has removed.
  func retire() {
    isRetired = true
    signal.observer = nil
    signal.willDiscard = nil
    signal.metric = nil
  }

  /// Applies the changes of a reload that leave the signal in place.
  ///
  /// - Returns: `true` if its access rules have changed.
  func refresh() -> Bool {
    let before = access
    access = Access(signal.declaration)
    setMetric()
    for group in groups where group.hasBackpressure != hasBackpressure { group.hasBackpressure = hasBackpressure }
    if signal.declaration.home != home {
      home = signal.declaration.home
      deliverEpoch()
    }
    return access != before
  }

  /// Moves to the daemon's epoch: a reload is about to make the signal ordinary, to move it elsewhere or to remove it.
  func leaveHome() {
    home = nil
    deliverEpoch()
  }

  /// Moves to the epoch of its home, which could not be opened before.
  func enterHome() { if home == signal.declaration.home { deliverEpoch() } }

  /// Announces the current epoch to the subscribers.
  func deliverEpoch() {
    for group in groups {
      // Subscribers that lose their access are about to be interrupted instead.
      let subscribers = group.subscriptions.filter { access.maySubscribe($0.identity) }
      if subscribers.isEmpty { continue }
      deliverPending(of: group)
      for subscription in subscribers { subscription.receive(.renewed(signal: name, epoch: epoch), of: group) }
    }
  }

  /// Delivers the value that waits on a delivery group, before another event.
  func deliverPending(of group: DeliveryGroup) {
    group.deliverPending(in: iteration)
    iteration.closeBatch()
  }

  /// True if subscribers may pause senders.
  var hasBackpressure: Bool { signal.declaration.traits.hasBackpressure }

  /// Returns the closed gate of a client other than the sender whose send buffer is full.
  func shutGate(for sender: SendBuffer) -> SendGate? {
    for place in 0..<gates.placeCount {
      if let gate = gates[place]?.takeUnretainedValue().gate, gate.isShut(for: sender) { return gate }
    }
    return nil
  }

  // MARK: Subscriptions

  /// Adds a subscription to a delivery group of its form; events before this point are not delivered to it.
  func add(_ subscription: Subscription, _ form: EventForm, _ condition: WhereClause?) -> DeliveryGroup {
    iteration.closeBatch()
    // While a signal is becoming cold, subscriptions that have not moved yet still share a delivery group.
    let group = (signal.isCold ? nil : sharedGroups[form]) ?? makeGroup(form, condition)
    group.add(subscription)
    subscriberCount += 1
    if subscription.isCounting { countingSubscribers += 1 }
    if !group.isOwn { signal.addSubscriber() }
    return group
  }

  /// Returns the first events for a subscription that continues after a place, which is none that is still to come.
  func beginning(after place: Continuation.Place?) -> Subscription.Beginning {
    let all = signal.retained.latest(signal.retained.count)
    guard let place else { return Subscription.Beginning(entries: all) }
    guard place.epoch == epoch else {
      return Subscription.Beginning(.renewed(signal: name, epoch: epoch), entries: all)
    }
    return beginning(after: place.seq)
  }

  /// Returns the values after a number, preceded by the count of those that are no longer retained.
  func beginning(after number: UInt64) -> Subscription.Beginning {
    let last = signal.sequence
    let entries = signal.retained.latest(Int(clamping: last - number))
    let missing = last - number - UInt64(entries.count)
    return Subscription.Beginning(
      missing > 0 ? .lagged(signal: name, dropped: missing) : nil, entries: entries)
  }

  private func makeGroup(_ form: EventForm, _ condition: WhereClause?) -> DeliveryGroup {
    let policy = DeliveryPolicy(
      form, condition: condition, signal: signal, clock: runtime.clock, timers: iteration.clock)
    let group = DeliveryGroup(
      signal: name, clock: runtime.clock, form: form, isOwn: signal.isCold, losses: sharedLosses(), policy: policy)
    policy?.begin(group, in: iteration)
    group.hasBackpressure = hasBackpressure
    recipients.append(group)
    if group.looksInside { groupsLookingInside += 1 }
    if form.isShared && !group.isOwn { sharedGroups[form] = group }
    return group
  }

  private func sharedLosses() -> EventEncoder.Losses {
    let losses = losses ?? EventEncoder.Losses()
    self.losses = losses
    return losses
  }

  private func sharedLatency() -> Latency {
    let latency = latency ?? Latency()
    self.latency = latency
    return latency
  }

  /// Starts what runs only while it has subscriptions.
  ///
  /// - Parameter sequence: The number after which the subscription's own run begins to count.
  /// - Returns: The subscription's own run of a cold signal.
  func begin(_ group: DeliveryGroup, after sequence: UInt64) -> ColdRun? {
    guard group.isOwn else {
      runtime.wake(signal)
      return nil
    }
    return runtime.startRun(of: signal, after: sequence) { [unowned self] in take($0, for: group) }
  }

  /// Delivers an event of a cold run to its one subscription.
  private func take(_ event: SignalEvent, for group: DeliveryGroup) {
    switch event {
    case .next(let payload, let sequence):
      group.deliver(payload, sequence: sequence, in: iteration)
      // The run stops as soon as its subscription has all the values that it asked for.
      iteration.closeBatch()
    case .ended(let ending): group.deliver(ending: SubscriptionEvent(ending, of: name), in: iteration)
    }
  }

  /// Removes a subscription, and its delivery group with the last one.
  func remove(_ subscription: Subscription, on group: DeliveryGroup) {
    // Either may be in the middle of an event.
    iteration.keep(subscription)
    iteration.keep(group)
    group.remove(subscription)
    subscriberCount -= 1
    if subscription.isCounting { countingSubscribers -= 1 }
    if !group.isOwn { runtime.detach(from: signal) }
    guard group.isEmpty, recipients.remove(group) else { return }
    if group.looksInside { groupsLookingInside -= 1 }
    if sharedGroups[group.form] === group { sharedGroups[group.form] = nil }
  }

  /// Interrupts all subscriptions, with a reason.
  func interrupt(_ reason: SubscriptionEvent.Reason) { end(.interrupted(signal: name, reason)) }

  /// Keeps, moves or ends each subscription after the signal behind the name has changed.
  ///
  /// - Parameter successor: The channel that has the name now; `nil` if the name is gone.
  func handOver(to successor: Channel?) {
    for group in groups {
      for subscription in group.subscriptions {
        switch SubscriptionTransition(of: subscription, on: group, successor) {
        case .keep: break
        case .move:
          deliverPending(of: group)
          subscription.moveOver(on: self)
        case .ends(let reason):
          // A subscriber without access is sent nothing more, not even an older value.
          if reason != .denied { deliverPending(of: group) }
          subscription.interrupt(group, reason)
        }
      }
    }
  }

  /// True if a value sent here goes to subscribers unchanged and has no other reader.
  var isRelay: Bool { groupsLookingInside == 0 && signal.metric == nil && signal.isRelay }

  /// Publishes a value as the text that its sender wrote, which is known to be valid.
  func relay(_ text: Span<UInt8>) {
    let sequence = signal.relay()
    forEachGroup(sequence) { $0.relay(text, sequence: sequence, in: iteration) }
  }

  private func receive(_ event: SignalEvent) {
    switch event {
    case .next(let payload, let sequence):
      signal.metric?.take(payload, of: signal.emittingKey, sequence: sequence, at: runtime.clock.microseconds)
      forEachGroup(sequence) { $0.deliver(payload, sequence: sequence, in: iteration) }
      // The signal stops with the turn in which its last subscriber has all its values, whatever else is in the batch.
      if countingSubscribers > 0 && signal.isLazy { iteration.closeBatch() }
    case .ended(let ending):
      signal.metric?.endAll()
      end(SubscriptionEvent(ending, of: name))
    }
  }

  /// Calls `hand` for each delivery group that is not resting.
  @inline(__always)
  private func forEachGroup(_ sequence: UInt64, _ hand: (DeliveryGroup) -> Void) {
    if recipients.isEmpty { return }
    let isMetered = groupsLookingInside > 0 || recipients.count > Self.mostUnmetered
    recipients.beginVisit()
    var place = 0
    while place < recipients.placeCount {
      recipients[place]?._withUnsafeGuaranteedRef { group in
        if group.isResting { return }
        iteration.latencies.note(sharedLatency())
        if isMetered { deliver(to: group, sequence, hand) } else { hand(group) }
      }
      place += 1
    }
    recipients.endVisit()
  }

  /// The most delivery groups without conditions that get a value whatever it costs.
  private static let mostUnmetered = 16

  /// The number of the present line or turn, for which users have budgets of work.
  var workWindow: UInt64 { runtime.turns &+ iteration.requests }

  /// Delivers a value at the cost of one of the delivery group's users, or counts it as missed.
  private func deliver(to group: DeliveryGroup, _ sequence: UInt64, _ hand: (DeliveryGroup) -> Void) {
    let window = workWindow
    guard let payer = group.payer(in: window) else { return group.miss(sequence, in: iteration) }
    let start = iteration.totalBytes
    hand(group)
    // A quarter of a nanosecond for each byte.
    payer.work.spend(group.cost + (iteration.totalBytes &- start) / 4, in: window)
  }

  private func end(_ event: SubscriptionEvent) {
    for group in groups { group.deliver(ending: event, in: iteration) }
  }
}

extension SubscriptionEvent {
  /// Makes the event that reports a signal's ending.
  init(_ ending: SignalEnding, of signal: String) {
    switch ending {
    case .completed: self = .completed(signal: signal)
    case .failed(let failure): self = .failed(signal: signal, Failure(failure))
    case .interrupted: self = .interrupted(signal: signal, nil)
    }
  }
}

// MARK: - Handover

extension Channel {
  /// Encodes the subscriptions in their order of delivery.
  ///
  /// - Parameter number: Returns the number of a subscription in the handover.
  func encode(to writer: inout StateEncoder, number: (Subscription) -> Int) {
    (losses?.count ?? 0).encode(to: &writer)
    (latency ?? Latency()).encode(to: &writer)
    let groups = groups
    writer.count(groups.count)
    for group in groups {
      let subscriptions = group.subscriptions
      writer.count(subscriptions.count)
      for subscription in subscriptions {
        number(subscription).encode(to: &writer)
        subscription.run(on: group)?.number.encode(to: &writer) ?? UInt64(0).encode(to: &writer)
      }
      group.encodePolicy(in: &writer)
    }
  }

  /// Restores the subscriptions, while the graphs resume from their state.
  func restore(
    from reader: inout StateDecoder, subscription: (Int) throws(StateError) -> Subscription
  ) throws(StateError) {
    let lost = try UInt64(from: &reader)
    if lost > 0 { sharedLosses().count = lost }
    try sharedLatency().restore(from: &reader)
    for _ in 0..<(try reader.count()) {
      var group: DeliveryGroup?
      for _ in 0..<(try reader.count()) {
        let restored = try subscription(try Int(from: &reader))
        group = restored.adopt(self, run: try UInt64(from: &reader))
      }
      try group?.restorePolicy(from: &reader)
    }
  }

  /// Resumes the run of a cold signal for its subscription.
  func resume(_ group: DeliveryGroup, run number: UInt64) -> ColdRun? {
    guard group.isOwn else { return nil }
    return runtime.resumeRun(of: signal, number: number) { [unowned self] in take($0, for: group) }
  }

  /// Returns a stream of its events without subscriptions, for those that are still queued.
  func stray(_ form: EventForm) -> EventEncoder {
    EventEncoder(signal: name, clock: runtime.clock, form: form, losses: sharedLosses())
  }
}
