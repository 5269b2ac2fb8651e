import WireProtocol

/// The events of one subscription in the queue of its client.
///
/// Its entries form a list of their own within the queue, so that its oldest or newest can be taken out at once.
final class Lane {
  let overflow: OverflowRule
  /// The ends of its list: places in the queue, or `OutputQueue.none`.
  var first = OutputQueue.none
  var last = OutputQueue.none
  /// The charge for its events in the queue.
  var heldBytes = 0
  /// Events dropped so far.
  var dropped: UInt64 = 0
  /// How many more values its subscription is to have, those not counted that are dropped; `nil` for any number.
  var remaining: Int?
  /// The events that the queue holds of each signal; filled only while something is queued.
  var signals: [ObjectIdentifier: SignalShare] = [:]

  /// The events that are queued of one signal.
  struct SignalShare {
    /// The last `lagged` entry that has not been written out yet.
    var marker = OutputQueue.none
    /// Events of the signal in the queue, and those of them behind the marker.
    var events = 0
    var eventsBehindMarker = 0
  }

  init(overflow: OverflowRule, remaining: Int? = nil) {
    self.overflow = overflow
    self.remaining = remaining
  }

  /// Whether its subscription has had all that it asked for, none of which is dropped any more.
  var isSatisfied: Bool { remaining == 0 }

  subscript(stream: EventStream) -> SignalShare {
    get { signals[ObjectIdentifier(stream)] ?? SignalShare() }
    set { signals[ObjectIdentifier(stream)] = newValue }
  }
}
