import Base
package import Signals

/// One action scheduled for a time.
package final class GraphTimer: HeapElement, RecordedTimer, @unchecked Sendable {
  /// The time by the graph's clock, or by the civil one, counted from 1970.
  let due: Instant
  /// Lets its owner compute another time after the civil clock was set back by a duration or time zones have changed;
  /// `nil` for a timer by the graph's clock.
  let recount: ((_ setBack: Duration?) -> Void)?
  /// The number of timers that led to it without a delay.
  let chain: Int
  let action: () -> Void
  /// The turns that the action is one of, if it is; a timer of its own for that would need three more blocks of memory.
  private let turns: Turns?
  /// The clock that a disposal removes it from; `nil` if its owner does that.
  private let clock: GraphClock?
  package private(set) var isDisposed = false
  /// The place of its declaration; `nil` sorts after all places.
  private let place: DeclaredPlace?
  private let arrival: UInt64
  package var heapIndex: Int?

  init(
    due: Instant, place: DeclaredPlace?, arrival: UInt64, chain: Int,
    recount: ((_ setBack: Duration?) -> Void)? = nil, in turns: Turns? = nil, of clock: GraphClock? = nil,
    action: @escaping () -> Void
  ) {
    self.turns = turns
    self.clock = clock
    self.recount = recount
    self.due = due
    self.place = place
    self.arrival = arrival
    self.chain = chain
    self.action = action
  }

  /// Does what it is set for.
  func act() {
    if let turns { turns.run(action) } else { action() }
  }

  package func dispose() {
    isDisposed = true
    clock?.cancel(self)
  }

  /// Its saved form; `nil` once it has run or was cancelled.
  package var record: TimerRecord? { heapIndex == nil ? nil : TimerRecord(due: due, arrival: arrival, chain: chain) }

  package var heapKey: Int64 { due.nanoseconds }

  package func isBefore(_ other: GraphTimer) -> Bool { isBefore(inPlace: other) }

  /// Returns true if it runs before another timer that is due at the same time.
  func isBefore(inPlace other: GraphTimer) -> Bool {
    let (own, others) = (place?.position ?? .max, other.place?.position ?? .max)
    return own == others ? arrival < other.arrival : own < others
  }
}
