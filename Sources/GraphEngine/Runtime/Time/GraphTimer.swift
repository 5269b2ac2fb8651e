import Base
import ReactiveCore

/// One action scheduled for a time.
package final class GraphTimer: HeapElement {
  /// The time by the graph's clock, or by the civil one, counted from 1970.
  let due: Instant
  /// Lets its owner compute another time after the civil clock was set back by a duration or time zones have changed;
  /// `nil` for a timer by the graph's clock.
  let recount: ((_ setBack: Duration?) -> Void)?
  /// The number of timers that led to it without a delay.
  let chain: Int
  let action: () -> Void
  /// The place of its declaration; `nil` sorts after all places.
  private let place: DeclaredPlace?
  private let arrival: UInt64
  package var heapIndex: Int?

  init(
    due: Instant, place: DeclaredPlace?, arrival: UInt64, chain: Int,
    recount: ((_ setBack: Duration?) -> Void)? = nil, action: @escaping () -> Void
  ) {
    self.recount = recount
    self.due = due
    self.place = place
    self.arrival = arrival
    self.chain = chain
    self.action = action
  }

  /// Its saved form; `nil` once it has run or was cancelled.
  var record: TimerRecord? { heapIndex == nil ? nil : TimerRecord(due: due, arrival: arrival, chain: chain) }

  package func isBefore(_ other: GraphTimer) -> Bool {
    due == other.due ? isBefore(inPlace: other) : due < other.due
  }

  /// Returns true if it runs before another timer that is due at the same time.
  func isBefore(inPlace other: GraphTimer) -> Bool {
    let (own, others) = (place?.position ?? .max, other.place?.position ?? .max)
    return own == others ? arrival < other.arrival : own < others
  }
}
