import GraphEngine
import JSON
import Signals
import WireProtocol

/// The subscriptions to one signal that get its events in the same form: each event is encoded once for all of them.
///
/// A subscription to a cold signal, or with `every`, has a group of its own.
final class DeliveryGroup: EventEncoder {
  private var recipients = UnretainedSet<Subscription>()
  /// True for a cold signal, which runs for each subscription separately.
  let isOwn: Bool
  /// The delivery policy that delays values and emits others in their place; most delivery groups have none.
  private let policy: DeliveryPolicy?
  /// True while values bypass the delivery group, until its delivery policy reads the newest from the signal.
  var isResting = false

  init(
    signal: String, clock: GraphClock, form: EventForm, isOwn: Bool, losses: Losses, policy: DeliveryPolicy?
  ) {
    self.isOwn = isOwn
    self.policy = policy
    super.init(signal: signal, clock: clock, form: form, losses: losses)
  }

  var subscriptions: [Subscription] { recipients.members }
  var isEmpty: Bool { recipients.isEmpty }
  /// True if values have to be parsed to choose among them.
  var looksInside: Bool { policy?.looksInside ?? false }

  func add(_ subscription: Subscription) { recipients.append(subscription) }

  /// Removes a subscription, which must stay alive until the iteration ends.
  func remove(_ subscription: Subscription) {
    if recipients.remove(subscription) && isEmpty { policy?.end() }
  }

  /// Selects the retained values for a new subscription.
  ///
  /// - Returns: The values, and the number of older ones that the user's budget left no work for.
  func selection(
    of entries: [Retention.Entry], newest count: Int?, for account: Account, in window: UInt64
  ) -> (wanted: [Retention.Entry], missed: Int) {
    guard let policy else { return (count.map { Array(entries.suffix($0)) } ?? entries, 0) }
    return policy.selection(of: entries, newest: count, for: account, in: window)
  }

  // MARK: Work

  /// The cost of the last delivery besides its bytes, in estimated nanoseconds.
  var cost: Int { WorkBudget.delivery + (policy?.cost ?? 0) }

  /// The first of its users with a budget for more work; `nil` if there is none.
  func payer(in window: UInt64) -> Account? {
    for place in 0..<recipients.placeCount {
      guard let account = recipients[place]?.takeUnretainedValue().sendBuffer.account else { continue }
      if account.work.hasRest(in: window) { return account }
    }
    return nil
  }

  /// Counts a value as missed by its subscriptions.
  func miss(_ sequence: UInt64, in iteration: LoopIteration) {
    policy?.pass(sequence)
    iteration.closeBatch()
    forEachSubscription { $0.miss(1, of: self) }
  }

  /// Encodes a value once for all subscriptions.
  @inline(__always)
  func deliver(_ payload: Payload, sequence: UInt64, in iteration: LoopIteration) {
    if let policy {
      // A run that is just starting may emit more after its subscription has all its values.
      guard !isEmpty else { return }
      guard policy.admits(payload, sequence: sequence) else {
        policy.isSent = iteration.hasSender
        return
      }
      rest()
    }
    write(payload, sequence: sequence, in: iteration)
  }

  /// Delivers a value as its sender wrote it.
  @inline(__always)
  func relay(_ text: Span<UInt8>, sequence: UInt64, in iteration: LoopIteration) {
    if let policy {
      guard !isEmpty else { return }
      guard policy.admits(text, sequence: sequence) else {
        policy.isSent = iteration.hasSender
        return
      }
    }
    write(text, sequence: sequence, in: iteration)
  }

  override func deliver(_ events: Range<Int>, count: Int, in iteration: LoopIteration) {
    // Computed at most once, and before anything is written: holding the bytes while others are appended would copy
    // them.
    var lines: [Range<Int>]?
    forEachSubscription { subscription in
      guard !subscription.receive(events, count: count) else { return }
      let each = lines ?? iteration.bytes.lines(in: events)
      lines = each
      for line in each { subscription.receive(line, of: self) }
    }
  }

  @inline(__always)
  private func forEachSubscription(_ hand: (Subscription) -> Void) {
    recipients.beginVisit()
    var place = 0
    while place < recipients.placeCount {
      recipients[place]?._withUnsafeGuaranteedRef(hand)
      place += 1
    }
    recipients.endVisit()
  }

  /// Delivers the signal's ending, after a value that still waits.
  func deliver(ending: SubscriptionEvent, in iteration: LoopIteration) {
    deliverPending(in: iteration)
    iteration.closeBatch()
    let start = iteration.count
    append(ending, to: &iteration.bytes)
    let line = start..<iteration.count
    for subscription in subscriptions { subscription.receive(ending: line, of: self) }
  }

  /// Delivers the value that waits for the end of its interval, before a subscription ends.
  func deliverPending(in iteration: LoopIteration) {
    if let entry = policy?.takePending() { write(entry, in: iteration) }
  }

  /// Skips values until the interval is over, where the policy allows it.
  func rest() {
    // Backpressure on a client is known only as its value arrives.
    isResting = !hasBackpressure && policy?.mayRest ?? false
  }

  /// Stops skipping values, since the signal is about to discard those that it retains.
  func wake() {
    if !isResting { return }
    keepPending()
    isResting = false
  }

  /// Copies the value that waits, since the signal may be about to discard it.
  @discardableResult func keepPending() -> Retention.Entry? { policy?.keepPending() }

  /// Delivers a heartbeat to subscribers that keep up.
  func deliverAlive(sequence: UInt64, in iteration: LoopIteration) {
    iteration.closeBatch()
    let start = iteration.count
    append(.alive(signal: signal, seq: sequence), to: &iteration.bytes)
    let line = start..<iteration.count
    for subscription in subscriptions { subscription.receive(alive: line) }
  }
}

// MARK: - Handover

extension DeliveryGroup {
  func encodePolicy(in writer: inout StateEncoder) { policy?.encode(to: &writer) }

  func restorePolicy(from reader: inout StateDecoder) throws(StateError) { try policy?.restore(from: &reader) }
}
