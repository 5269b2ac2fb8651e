import Base
import Signals
import WireProtocol

/// The events of one subscription in the queue of its client.
///
/// Its entries form a list of their own within the queue, so that the oldest or newest can be removed in constant time.
final class SubscriptionQueue {
  let overflow: OverflowRule
  /// The ends of its list: positions in the queue, or `OutputQueue.none`.
  var first = OutputQueue.none
  var last = OutputQueue.none
  /// The position of its oldest event, or `OutputQueue.none`.
  var firstEvent = OutputQueue.none
  /// The events with a newer one of their signal behind them, for the policy that drops those first.
  var superseded = MinimumHeap<QueuedEvent>()
  /// The charge for its events in the queue; only the queue sets it.
  var heldBytes = 0
  /// Its place among the holders of events that may be dropped, and the number of its arrival there.
  var heapIndex: Int?
  var arrival: UInt64 = 0
  /// True while it holds events and none of them is dropped any more.
  var isSpared = false
  /// The number of dropped events.
  var dropped: UInt64 = 0
  /// The number of values that its subscription is still to get, not counting dropped ones; `nil` for no limit.
  var remaining: Int?
  /// The queued events of each signal; filled only while the queue is not empty.
  var signals: [ObjectIdentifier: SignalShare] = [:]

  /// The queued events of one signal.
  struct SignalShare {
    /// The last `lagged` entry that has not been written yet.
    var marker = OutputQueue.none
    /// The signal's events in the queue, and the number of them after the marker.
    var events = 0
    var eventsBehindMarker = 0
    /// The `lagged` entry before all of its events, if that is another one; the next process makes one of its own.
    var firstMarker = OutputQueue.none
    /// The position of the newest of them, for the policy that keeps it.
    var newest = OutputQueue.none
  }

  /// An event in the queue, by the order of arrival.
  struct QueuedEvent: Comparable {
    let number: UInt64
    let place: Int32

    static func < (one: Self, other: Self) -> Bool { one.number < other.number }
  }

  init(overflow: OverflowRule, remaining: Int? = nil) {
    self.overflow = overflow
    self.remaining = remaining
  }

  /// True once its subscription has had all its values; none of them is dropped any more.
  var isSatisfied: Bool { remaining == 0 }

  subscript(stream: EventEncoder) -> SignalShare {
    get { signals[ObjectIdentifier(stream)] ?? SignalShare() }
    set { signals[ObjectIdentifier(stream)] = newValue }
  }
}

/// The queue that holds more comes first, or else the one that began to hold events earlier.
extension SubscriptionQueue: HeapElement {
  var heapKey: Int64 { -Int64(heldBytes) }

  func isBefore(_ other: SubscriptionQueue) -> Bool { arrival < other.arrival }
}

// MARK: - Handover

extension SubscriptionQueue: StateRecord {
  /// Encodes what does not follow from the queue.
  convenience init(_ field: inout StateCoder<SubscriptionQueue>) throws(StateError) {
    let (overflow, dropped) = (try field(\.overflow), try field(\.dropped))
    self.init(overflow: overflow, remaining: try field(\.remaining))
    self.dropped = dropped
  }
}

extension OverflowRule: StateCodable {}
