import ReactiveCore
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

// MARK: - Handing over

extension Lane {
  /// Writes down what does not follow from the queue.
  func store(in writer: inout StateWriter) {
    writer.text(overflow.rawValue)
    dropped.store(in: &writer)
    remaining.store(in: &writer)
  }

  convenience init(from reader: inout StateReader) throws(StateError) {
    guard let overflow = OverflowRule(rawValue: try reader.text()) else { throw StateError("an overflow rule is none") }
    let dropped = try UInt64(from: &reader)
    self.init(overflow: overflow, remaining: try Int?(from: &reader))
    self.dropped = dropped
  }
}
