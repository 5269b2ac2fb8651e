/// The output that a slow client is still to be sent, behind its committed bytes, in order.
///
/// The entries are a doubly linked list in one array, and each lane's entries a second one through the same nodes: any
/// entry can be taken out at once, and a queue that has been emptied holds no memory.
struct OutputQueue {
  /// No place in the queue.
  static let none: Int32 = -1
  /// The charge for an entry besides its bytes.
  static let entryOverhead = 64

  enum Content {
    /// An encoded event that may be dropped.
    case event(SharedBytes)
    /// A reply, an ending or another line that is never dropped.
    case line(SharedBytes)
    /// Stands where events were dropped, and says how many.
    case lagged(UInt64)
    /// Retained values, to be encoded as room comes.
    case replay(Replay)
    case free
  }

  struct Entry {
    var content: Content
    var lane: Lane?
    var stream: EventStream?
    var next = OutputQueue.none
    var previous = OutputQueue.none
    var nextOfLane = OutputQueue.none
    var previousOfLane = OutputQueue.none

    var charge: Int {
      switch content {
      case .event(let shared), .line(let shared): shared.bytes.count + entryOverhead
      case .lagged, .replay: 2 * entryOverhead
      case .free: 0
      }
    }

    /// Bytes of retained values, which belong to the user's account and not to the client's budget: no event is dropped
    /// for them.
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
  /// The lanes with events in here.
  private(set) var lanes: [Lane] = []

  var isEmpty: Bool { first == Self.none }

  subscript(place: Int32) -> Entry { entries[Int(place)] }

  /// Appends an entry at the end.
  mutating func append(_ content: Content, lane: Lane? = nil, stream: EventStream? = nil) {
    let place = newPlace(Entry(content: content, lane: lane, stream: stream, previous: last))
    if last == Self.none { first = place } else { entries[Int(last)].next = place }
    last = place
    heldBytes += entries[Int(place)].charge
    replayBytes += entries[Int(place)].replayBytes
    if let lane { append(place, to: lane) }
  }

  /// Takes an entry out, wherever it stands.
  @discardableResult
  mutating func remove(_ place: Int32) -> Entry {
    let entry = entries[Int(place)]
    unlink(entry)
    if let lane = entry.lane { unlink(entry, from: lane) }
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

  /// Puts a count of dropped events in the place of an event.
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

  private mutating func append(_ place: Int32, to lane: Lane) {
    if lane.first == Self.none {
      lane.first = place
      lanes.append(lane)
    } else {
      entries[Int(lane.last)].nextOfLane = place
      entries[Int(place)].previousOfLane = lane.last
    }
    lane.last = place
  }

  private mutating func unlink(_ entry: Entry) {
    if entry.previous == Self.none { first = entry.next } else { entries[Int(entry.previous)].next = entry.next }
    if entry.next == Self.none { last = entry.previous } else { entries[Int(entry.next)].previous = entry.previous }
  }

  private mutating func unlink(_ entry: Entry, from lane: Lane) {
    if entry.previousOfLane == Self.none {
      lane.first = entry.nextOfLane
    } else {
      entries[Int(entry.previousOfLane)].nextOfLane = entry.nextOfLane
    }
    if entry.nextOfLane == Self.none {
      lane.last = entry.previousOfLane
    } else {
      entries[Int(entry.nextOfLane)].previousOfLane = entry.previousOfLane
    }
    if lane.first == Self.none { lanes.removeAll { $0 === lane } }
  }
}
