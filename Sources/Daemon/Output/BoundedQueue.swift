import ReactiveCore
import WireProtocol

/// The output that a slow client is still to be sent behind its committed bytes, within a budget.
///
/// When the budget is used up, the overflow rules of the client's subscriptions choose what gives way.
struct BoundedQueue {
  /// An event that is about to be queued.
  struct Arrival {
    let lane: Lane
    let stream: EventStream
    let charge: Int
  }

  /// The outcome of a look at the overflow rules.
  enum Outcome {
    /// An event that was queued has been dropped.
    case dropped
    /// The arrival has been counted as dropped.
    case refused
    /// The arrival is to be queued past the budget.
    case admitted
    /// The client is to be disconnected.
    case disconnected
  }

  private(set) var queue = OutputQueue()
  /// The bytes that may be held for the client, its committed ones included (`limits.output`).
  var budget: Int

  init(budget: Int) { self.budget = budget }

  var isEmpty: Bool { queue.isEmpty }
  var heldBytes: Int { queue.heldBytes }
  var replayBytes: Int { queue.replayBytes }
  /// How many bytes may be committed: only half of a small budget, so that the overflow rules have a choice.
  var share: Int { min(CommittedBytes.most, budget / 2) }

  mutating func append(_ line: SharedBytes) { queue.append(.line(line)) }

  mutating func append(_ replay: Replay) { queue.append(.replay(replay)) }

  mutating func append(_ event: SharedBytes, _ arrival: Arrival) {
    queue.append(event: event, lane: arrival.lane, stream: arrival.stream)
  }

  mutating func removeAll() { queue = OutputQueue() }

  /// Fills it, while it is empty, with what another process had queued.
  mutating func restore(
    from reader: inout StateReader, _ parts: QueueParts, _ sharing: inout SharedParts
  ) throws(StateError) {
    try queue.restore(from: &reader, parts, &sharing)
  }

  // MARK: Writing

  /// Takes out what may be committed next, as much as fits, and one entry at least.
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

  /// Has something give way to an event.
  ///
  /// - Parameter canWait: Whether the sender can be made to wait instead, after what it has sent so far.
  mutating func giveWay(to arrival: Arrival, canWait: Bool) -> Outcome {
    let (lane, stream) = (arrival.lane, arrival.stream)
    if lane.overflow == .block && stream.hasBackpressure && canWait { return .admitted }
    // A queue without events takes one, however large: else the newest value would be lost behind a large one.
    guard let victim = largestHolder(arrival) else {
      if lane.heldBytes == 0 && !queue.lanes.contains(where: \.isSatisfied) { return .admitted }
      return refuse(arrival)
    }
    if victim === lane && victim.overflow == .dropNewest { return refuse(arrival) }
    return drop(of: victim, for: victim === lane ? stream : nil)
  }

  /// Has something give way to a smaller budget; `nil` if there is nothing to drop.
  mutating func giveWay() -> Outcome? { largestHolder().map { drop(of: $0) } }

  private mutating func refuse(_ arrival: Arrival) -> Outcome {
    queue.dropIncoming(lane: arrival.lane, stream: arrival.stream)
    return .refused
  }

  /// Drops an event of a lane, as its overflow rule says.
  private mutating func drop(of victim: Lane, for incoming: EventStream? = nil) -> Outcome {
    switch victim.overflow {
    case .dropOldest: dropOldest(of: victim)
    case .latest: dropSuperseded(of: victim, incoming: incoming)
    case .dropNewest: if let place = queue.newestEvent(of: victim) { queue.dropNewest(place, of: victim) }
    case .block: preconditionFailure("events of a blocking subscription are not dropped for others")
    case .disconnect: return .disconnected
    }
    return .dropped
  }

  /// The lane that holds most, an event counted that is about to come; `nil` if none has anything to drop.
  ///
  /// Blocking ones are left alone: what comes without a sender who could wait is dropped before it is queued. So are
  /// those whose subscriptions have had all that they asked for.
  private func largestHolder(_ arrival: Arrival? = nil) -> Lane? {
    var largest: Lane?
    var most = 0
    for lane in queue.lanes where lane.heldBytes > 0 && lane.overflow != .block && !lane.isSatisfied {
      let holds = lane.heldBytes + (lane === arrival?.lane ? arrival?.charge ?? 0 : 0)
      if holds > most { (largest, most) = (lane, holds) }
    }
    return largest
  }

  private mutating func dropOldest(of lane: Lane) {
    if let place = queue.oldestEvent(of: lane) { queue.dropOldest(place, of: lane) }
  }

  private mutating func dropSuperseded(of lane: Lane, incoming: EventStream?) {
    let place = queue.oldestSupersededEvent(of: lane, incoming: incoming) ?? queue.oldestEvent(of: lane)
    if let place { queue.dropOldest(place, of: lane) }
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
