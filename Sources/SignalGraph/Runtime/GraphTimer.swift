import Queues
import ReactiveCore

/// One action that waits for its time.
package final class GraphTimer: HeapTimer {
  /// By the graph's clock, or by the civil one, counted from 1970.
  let due: Instant
  /// Asks for another time, since the civil clock was set back by so much or time zones have changed; `nil` where the
  /// graph's clock is waited for.
  let recount: ((_ setBack: Duration?) -> Void)?
  /// How many timers have led to it without any time between.
  let chain: Int
  let action: () -> Void
  /// Where it is declared; `nil` stands behind everything that is.
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

  /// Itself in writing; `nil` once it has run or was cancelled.
  var record: TimerRecord? { heapIndex == nil ? nil : TimerRecord(due: due, arrival: arrival, chain: chain) }

  package func isBefore(_ other: GraphTimer) -> Bool {
    due == other.due ? isBefore(inPlace: other) : due < other.due
  }

  /// The same of two that are due at the same time.
  func isBefore(inPlace other: GraphTimer) -> Bool {
    let (own, others) = (place?.position ?? .max, other.place?.position ?? .max)
    return own == others ? arrival < other.arrival : own < others
  }
}
