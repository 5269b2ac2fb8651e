import Signals
import WireProtocol

/// The output that waits for a slow client behind its committed bytes, within a budget.
///
/// When the budget is used up, the overflow policies of the client's subscriptions choose what to evict.
struct BoundedQueue {
  /// An event that is about to be enqueued.
  struct Arrival {
    let subscriptionQueue: SubscriptionQueue
    let stream: EventEncoder
    let charge: Int
  }

  /// The outcome of applying the overflow policies.
  enum Outcome {
    /// A queued event has been dropped.
    case dropped
    /// The arrival has been counted as dropped.
    case refused
    /// The arrival is to be enqueued past the budget.
    case admitted
    /// The client is to be disconnected.
    case disconnected
  }

  private(set) var queue = OutputQueue()
  /// The most bytes that may be held for the client, including its committed ones (`limits.output`).
  var budget: Int

  init(budget: Int) { self.budget = budget }

  var isEmpty: Bool { queue.isEmpty }
  var heldBytes: Int { queue.heldBytes }
  var replayBytes: Int { queue.replayBytes }
  /// The most bytes that may be committed: only half of a small budget, so that the overflow policies have a choice.
  var share: Int { min(WriteBuffer.most, budget / 2) }

  mutating func append(_ line: SharedBytes) { queue.append(.line(line)) }

  mutating func append(_ replay: Replay) { queue.append(.replay(replay)) }

  mutating func append(_ event: SharedBytes, _ arrival: Arrival) {
    queue.append(event: event, subscriptionQueue: arrival.subscriptionQueue, stream: arrival.stream)
  }

  mutating func removeAll() { queue = OutputQueue() }

  /// Fills an empty queue with the entries of the process that has handed over.
  mutating func restore(
    from reader: inout StateDecoder, _ parts: QueueParts, _ sharing: inout SharedParts
  ) throws(StateError) {
    try queue.restore(from: &reader, parts, &sharing)
  }

  // MARK: Writing

  /// Removes the entries that may be committed next: as many as fit, and at least one.
  mutating func take(into bytes: inout [UInt8]) {
    while !queue.isEmpty, fits(queue[queue.first], behind: bytes.count) {
      if case .replay(let replay) = queue[queue.first].content {
        replay.appendNext(to: &bytes)
        if replay.isEmpty { _ = queue.takeFirst() }
      } else {
        queue.takeFirst().append(to: &bytes)
      }
    }
  }

  private func fits(_ entry: OutputQueue.Entry, behind count: Int) -> Bool {
    count == 0 || count + entry.charge <= share
  }

  // MARK: Overflow

  /// Evicts an entry for an event.
  ///
  /// - Parameter canWait: True if the sender can be paused instead, after what it has sent so far.
  mutating func evict(to arrival: Arrival, canWait: Bool) -> Outcome {
    let (subscriptionQueue, stream) = (arrival.subscriptionQueue, arrival.stream)
    if subscriptionQueue.overflow == .block && stream.hasBackpressure && canWait { return .admitted }
    // A queue without events accepts one of any size: otherwise the newest value would be lost behind a large one.
    guard let victim = largestHolder(with: arrival) else {
      return subscriptionQueue.heldBytes == 0 && !queue.holdsSpared ? .admitted : refuse(arrival)
    }
    if victim === subscriptionQueue && victim.overflow == .dropNewest { return refuse(arrival) }
    return drop(of: victim, for: victim === subscriptionQueue ? stream : nil)
  }

  /// Evicts an entry for a smaller budget; `nil` if there is nothing to drop.
  mutating func evict() -> Outcome? { queue.largestHolder().map { drop(of: $0) } }

  /// Counts an event as dropped that was not delivered.
  mutating func miss(subscriptionQueue: SubscriptionQueue, stream: EventEncoder) {
    queue.dropIncoming(subscriptionQueue: subscriptionQueue, stream: stream)
  }

  private mutating func refuse(_ arrival: Arrival) -> Outcome {
    queue.dropIncoming(subscriptionQueue: arrival.subscriptionQueue, stream: arrival.stream)
    return .refused
  }

  /// Drops an event of a subscription queue according to its overflow policy.
  private mutating func drop(of victim: SubscriptionQueue, for incoming: EventEncoder? = nil) -> Outcome {
    switch victim.overflow {
    case .dropOldest: dropOldest(of: victim)
    case .latest: dropSuperseded(of: victim, incoming: incoming)
    case .dropNewest: if let place = queue.newestEvent(of: victim) { queue.dropNewest(place, of: victim) }
    case .block: preconditionFailure("events of a blocking subscription are not dropped for others")
    case .disconnect: return .disconnected
    }
    return .dropped
  }

  /// Returns the subscription queue that holds most, including the arriving event; `nil` if nothing can be dropped.
  private mutating func largestHolder(with arrival: Arrival) -> SubscriptionQueue? {
    guard let largest = queue.largestHolder() else { return nil }
    let own = arrival.subscriptionQueue
    return own.heapIndex != nil && !own.isSatisfied && own.heldBytes + arrival.charge > largest.heldBytes
      ? own : largest
  }

  private mutating func dropOldest(of subscriptionQueue: SubscriptionQueue) {
    if let place = queue.oldestEvent(of: subscriptionQueue) { queue.dropOldest(place, of: subscriptionQueue) }
  }

  private mutating func dropSuperseded(of subscriptionQueue: SubscriptionQueue, incoming: EventEncoder?) {
    let place =
      queue.oldestSupersededEvent(of: subscriptionQueue, incoming: incoming) ?? queue.oldestEvent(of: subscriptionQueue)
    if let place { queue.dropOldest(place, of: subscriptionQueue) }
  }
}

extension OutputQueue.Entry {
  fileprivate func append(to bytes: inout [UInt8]) {
    switch content {
    case .event(let shared), .line(let shared): bytes.append(contentsOf: shared.bytes)
    case .lagged(let dropped):
      if let stream { stream.append(.lagged(signal: stream.signal, dropped: dropped), to: &bytes) }
    case .replay, .free: break
    }
  }
}
