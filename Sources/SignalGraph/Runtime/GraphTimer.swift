import Queues
import ReactiveCore

/// One action that waits for its time.
package final class GraphTimer: HeapTimer {
  let due: Instant
  /// How many timers have led to it without any time between.
  let chain: Int
  let action: () -> Void
  /// Where it is declared; `nil` stands behind everything that is.
  private let place: DeclaredPlace?
  private let arrival: UInt64
  package var heapIndex: Int?

  init(due: Instant, place: DeclaredPlace?, arrival: UInt64, chain: Int, action: @escaping () -> Void) {
    self.due = due
    self.place = place
    self.arrival = arrival
    self.chain = chain
    self.action = action
  }

  /// Itself in writing; `nil` once it has run or was cancelled.
  var record: TimerRecord? { heapIndex == nil ? nil : TimerRecord(due: due, arrival: arrival, chain: chain) }

  package func isBefore(_ other: GraphTimer) -> Bool {
    if due != other.due { return due < other.due }
    let (own, others) = (place?.position ?? .max, other.place?.position ?? .max)
    return own == others ? arrival < other.arrival : own < others
  }
}
