import Base
import WireProtocol

// Events that may be dropped: enqueueing them, writing them, and counting the gaps.
//
// A `lagged` entry of a signal is in the subscription queue at the position of its missing events. More that are
// dropped next to it are added to it; elsewhere a new entry is made, so the sum is exact and each count is at its gap.
extension OutputQueue {
  mutating func append(event: SharedBytes, subscriptionQueue: SubscriptionQueue, stream: EventEncoder) {
    append(.event(event), subscriptionQueue: subscriptionQueue, stream: stream)
    noteArrival(of: stream, in: subscriptionQueue)
    charge(subscriptionQueue, event.bytes.count + Self.entryOverhead)
    subscriptionQueue[stream].events += 1
    if subscriptionQueue[stream].marker != Self.none { subscriptionQueue[stream].eventsBehindMarker += 1 }
  }

  /// Notes which events the last one of a subscription queue, an event, makes the oldest and a superseded one.
  func noteArrival(of stream: EventEncoder, in subscriptionQueue: SubscriptionQueue) {
    let place = subscriptionQueue.last
    if subscriptionQueue.firstEvent == Self.none { subscriptionQueue.firstEvent = place }
    guard subscriptionQueue.overflow == .latest else { return }
    let previous = subscriptionQueue[stream].newest
    if previous != Self.none { subscriptionQueue.superseded.insert(queuedEvent(at: previous)) }
    subscriptionQueue[stream].newest = place
  }

  /// Notes that an event leaves a subscription queue; the entries behind it stay.
  private func noteDeparture(
    of entry: Entry, at place: Int32, _ stream: EventEncoder, from subscriptionQueue: SubscriptionQueue
  ) {
    if subscriptionQueue.firstEvent == place {
      subscriptionQueue.firstEvent = event(from: entry.nextOfSubscription, by: \.nextOfSubscription) ?? Self.none
    }
    guard subscriptionQueue.overflow == .latest else { return }
    if subscriptionQueue.superseded.first?.place == place { subscriptionQueue.superseded.removeFirst() }
    if subscriptionQueue[stream].newest == place { subscriptionQueue[stream].newest = Self.none }
  }

  private func queuedEvent(at place: Int32) -> SubscriptionQueue.QueuedEvent {
    .init(number: self[place].number, place: place)
  }

  /// Removes the first entry, to be written.
  mutating func takeFirst() -> Entry {
    let place = first
    let entry = remove(place)
    guard let subscriptionQueue = entry.subscriptionQueue, let stream = entry.stream else { return entry }
    switch entry.content {
    case .event:
      noteDeparture(of: entry, at: place, stream, from: subscriptionQueue)
      charge(subscriptionQueue, -entry.charge)
      subscriptionQueue[stream].events -= 1
    case .lagged:
      if subscriptionQueue[stream].marker == place { subscriptionQueue[stream].marker = Self.none }
      if subscriptionQueue[stream].firstMarker == place { subscriptionQueue[stream].firstMarker = Self.none }
    case .line, .replay, .free: break
    }
    if subscriptionQueue.first == Self.none { subscriptionQueue.signals = [:] }
    return entry
  }

  /// Drops an event that has no older one of its signal in the subscription queue.
  mutating func dropOldest(_ place: Int32, of subscriptionQueue: SubscriptionQueue) {
    guard let stream = release(place, of: subscriptionQueue) else { return }
    let share = subscriptionQueue[stream]
    if share.marker == Self.none {
      mark(place, dropped: 1)
      subscriptionQueue[stream].marker = place
      subscriptionQueue[stream].eventsBehindMarker = share.events
    } else if share.events < share.eventsBehindMarker {
      subscriptionQueue[stream].eventsBehindMarker -= 1
      count(at: share.marker)
      remove(place)
    } else if share.firstMarker == Self.none {
      // It stood before events that have been missed since.
      mark(place, dropped: 1)
      subscriptionQueue[stream].firstMarker = place
    } else {
      count(at: share.firstMarker)
      remove(place)
    }
  }

  /// Drops an event that has no newer one of its signal in the subscription queue.
  mutating func dropNewest(_ place: Int32, of subscriptionQueue: SubscriptionQueue) {
    guard let stream = release(place, of: subscriptionQueue) else { return }
    let share = subscriptionQueue[stream]
    if share.marker != Self.none && share.eventsBehindMarker <= 1 {
      count(at: share.marker)
      remove(place)
    } else {
      mark(place, dropped: 1)
      subscriptionQueue[stream].marker = place
    }
    subscriptionQueue[stream].eventsBehindMarker = 0
  }

  /// Counts an event that is dropped without having been queued.
  mutating func dropIncoming(subscriptionQueue: SubscriptionQueue, stream: EventEncoder) {
    subscriptionQueue.dropped += 1
    stream.losses.count += 1
    let share = subscriptionQueue[stream]
    if share.marker != Self.none && share.eventsBehindMarker == 0 { return count(at: share.marker) }
    append(.lagged(1), subscriptionQueue: subscriptionQueue, stream: stream)
    subscriptionQueue[stream].marker = subscriptionQueue.last
    subscriptionQueue[stream].eventsBehindMarker = 0
  }

  /// Returns the oldest event of a subscription queue.
  func oldestEvent(of subscriptionQueue: SubscriptionQueue) -> Int32? {
    subscriptionQueue.firstEvent == Self.none ? nil : subscriptionQueue.firstEvent
  }

  /// Returns the newest event of a subscription queue.
  func newestEvent(of subscriptionQueue: SubscriptionQueue) -> Int32? {
    event(from: subscriptionQueue.last, by: \.previousOfSubscription)
  }

  /// Returns the oldest event of a subscription queue whose signal has a newer one, either in the queue or in
  /// `incoming`.
  func oldestSupersededEvent(of subscriptionQueue: SubscriptionQueue, incoming: EventEncoder?) -> Int32? {
    let oldest = subscriptionQueue.superseded.first
    guard let incoming, case let newest = subscriptionQueue[incoming].newest, newest != Self.none else {
      return oldest?.place
    }
    let own = queuedEvent(at: newest)
    return min(oldest ?? own, own).place
  }

  private func event(from start: Int32, by step: KeyPath<Entry, Int32>) -> Int32? {
    var place = start
    while place != Self.none {
      if case .event = self[place].content { return place }
      place = self[place][keyPath: step]
    }
    return nil
  }

  /// Subtracts an event that is being dropped from its subscription queue's totals.
  private mutating func release(_ place: Int32, of subscriptionQueue: SubscriptionQueue) -> EventEncoder? {
    let entry = self[place]
    charge(subscriptionQueue, -entry.charge)
    subscriptionQueue.dropped += 1
    if let remaining = subscriptionQueue.remaining { subscriptionQueue.remaining = remaining + 1 }
    guard let stream = entry.stream else { return nil }
    noteDeparture(of: entry, at: place, stream, from: subscriptionQueue)
    subscriptionQueue[stream].events -= 1
    stream.losses.count += 1
    return stream
  }

  private mutating func count(at marker: Int32) {
    if case .lagged(let dropped) = self[marker].content { mark(marker, dropped: dropped + 1) }
  }
}
