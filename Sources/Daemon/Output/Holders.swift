import Base
import WireProtocol

/// The subscription queues of a client that hold events, by the bytes that they hold.
///
/// A client may have tens of thousands of them, and all of them may have to give way to the events of one value: each change
/// takes logarithmic time.
///
/// Blocking ones are left out: an event without a sender that could wait is dropped before it is queued. So are those
/// whose subscriptions have had all that they asked for, which are only counted.
struct Holders {
  private var heap = IndexedHeap<SubscriptionQueue>()
  private var arrivals: UInt64 = 0
  /// The number of those that have had all that they asked for, as far as that has mattered.
  private(set) var spared = 0

  /// Attends to a change of the bytes that a subscription queue holds.
  mutating func update(_ queue: SubscriptionQueue) {
    if queue.heldBytes == 0 {
      heap.remove(queue)
      if queue.isSpared { spared -= 1 }
      queue.isSpared = false
    } else if queue.heapIndex != nil {
      heap.move(queue)
    } else if queue.isSatisfied {
      spare(queue)
    } else if queue.overflow != .block {
      queue.arrival = arrivals
      arrivals += 1
      heap.insert(queue)
    }
  }

  /// Returns the one that holds most; `nil` if nothing can be dropped.
  mutating func largest() -> SubscriptionQueue? {
    while let queue = heap.first {
      if !queue.isSatisfied { return queue }
      heap.remove(queue)
      spare(queue)
    }
    return nil
  }

  private mutating func spare(_ queue: SubscriptionQueue) {
    if queue.isSpared { return }
    queue.isSpared = true
    spared += 1
  }
}
