/// The output that waits for a slow client behind its committed bytes, in order.
///
/// The entries are a doubly linked list in one array, and each subscription queue's entries a second one through the
/// same nodes: any entry can be removed in constant time, and an emptied queue holds no memory.
struct OutputQueue {
  /// An invalid position.
  static let none: Int32 = -1
  /// The charge for an entry besides its bytes.
  static let entryOverhead = 64

  enum Content {
    /// An encoded event that may be dropped.
    case event(SharedBytes)
    /// A reply, an ending or another line that is never dropped.
    case line(SharedBytes)
    /// The number of events that were dropped at this position.
    case lagged(UInt64)
    /// Retained values, to be encoded as space becomes available.
    case replay(Replay)
    case free
  }

  struct Entry {
    var content: Content
    var subscriptionQueue: SubscriptionQueue?
    var stream: EventEncoder?
    /// Its number in the order of arrival.
    var number: UInt64 = 0
    var next = OutputQueue.none
    var previous = OutputQueue.none
    var nextOfSubscription = OutputQueue.none
    var previousOfSubscription = OutputQueue.none

    var charge: Int {
      switch content {
      case .event(let shared), .line(let shared): shared.bytes.count + entryOverhead
      case .lagged, .replay: 2 * entryOverhead
      case .free: 0
      }
    }

    /// The bytes of retained values, which are charged to the user's account and not to the client's budget: no event
    /// is dropped for them.
    var replayBytes: Int {
      if case .replay(let replay) = content { replay.heldBytes } else { 0 }
    }
  }

  private var entries: [Entry] = []
  private var free: [Int32] = []
  private(set) var first = none
  private var last = none
  private(set) var heldBytes = 0
  /// Bytes of the retained values that are still to be encoded.
  private(set) var replayBytes = 0
  private var holders = Holders()
  /// The number of entries that have arrived.
  private var arrivals: UInt64 = 0

  var isEmpty: Bool { first == Self.none }

  subscript(place: Int32) -> Entry { entries[Int(place)] }

  /// True while it holds events of a subscription that has had all that it asked for.
  var holdsSpared: Bool { holders.spared > 0 }

  /// Returns the subscription queue that holds most, among those with events that may be dropped.
  mutating func largestHolder() -> SubscriptionQueue? { holders.largest() }

  /// Changes the charge for the events of a subscription queue.
  mutating func charge(_ subscriptionQueue: SubscriptionQueue, _ bytes: Int) {
    subscriptionQueue.heldBytes += bytes
    holders.update(subscriptionQueue)
  }

  /// Appends an entry at the end.
  mutating func append(_ content: Content, subscriptionQueue: SubscriptionQueue? = nil, stream: EventEncoder? = nil) {
    arrivals += 1
    let place = newPlace(
      Entry(content: content, subscriptionQueue: subscriptionQueue, stream: stream, number: arrivals, previous: last))
    if last == Self.none { first = place } else { entries[Int(last)].next = place }
    last = place
    heldBytes += entries[Int(place)].charge
    replayBytes += entries[Int(place)].replayBytes
    if let subscriptionQueue { append(place, to: subscriptionQueue) }
  }

  /// Removes an entry at any position.
  @discardableResult
  mutating func remove(_ place: Int32) -> Entry {
    let entry = entries[Int(place)]
    unlink(entry)
    if let subscriptionQueue = entry.subscriptionQueue { unlink(entry, from: subscriptionQueue) }
    heldBytes -= entry.charge
    replayBytes -= entry.replayBytes
    entries[Int(place)] = Entry(content: .free)
    free.append(place)
    if isEmpty {
      entries = []
      free = []
    }
    return entry
  }

  /// Replaces an event by a count of dropped events.
  mutating func mark(_ place: Int32, dropped: UInt64) {
    heldBytes -= entries[Int(place)].charge
    entries[Int(place)].content = .lagged(dropped)
    heldBytes += entries[Int(place)].charge
  }

  private mutating func newPlace(_ entry: Entry) -> Int32 {
    if let place = free.popLast() {
      entries[Int(place)] = entry
      return place
    }
    entries.append(entry)
    return Int32(entries.count - 1)
  }

  private mutating func append(_ place: Int32, to subscriptionQueue: SubscriptionQueue) {
    if subscriptionQueue.first == Self.none {
      subscriptionQueue.first = place
    } else {
      entries[Int(subscriptionQueue.last)].nextOfSubscription = place
      entries[Int(place)].previousOfSubscription = subscriptionQueue.last
    }
    subscriptionQueue.last = place
  }

  private mutating func unlink(_ entry: Entry) {
    if entry.previous == Self.none { first = entry.next } else { entries[Int(entry.previous)].next = entry.next }
    if entry.next == Self.none { last = entry.previous } else { entries[Int(entry.next)].previous = entry.previous }
  }

  private mutating func unlink(_ entry: Entry, from subscriptionQueue: SubscriptionQueue) {
    if entry.previousOfSubscription == Self.none {
      subscriptionQueue.first = entry.nextOfSubscription
    } else {
      entries[Int(entry.previousOfSubscription)].nextOfSubscription = entry.nextOfSubscription
    }
    if entry.nextOfSubscription == Self.none {
      subscriptionQueue.last = entry.previousOfSubscription
    } else {
      entries[Int(entry.nextOfSubscription)].previousOfSubscription = entry.previousOfSubscription
    }
  }
}
