package import Signals

/// The moment that an operator waits for: one at a time, saved with its body.
package final class Alarm: KeptMemory, Disposable, @unchecked Sendable {
  private let clock: GraphClock
  private let turns: Turns
  private let place: DeclaredPlace
  private var timer: GraphTimer?
  package private(set) var isDisposed = false
  /// The action at that moment, run as a turn; it receives the due time.
  private var action: ((_ due: Instant) -> Void)?

  package init(_ context: OperatorContext, _ action: @escaping (Alarm, _ due: Instant) -> Void) {
    clock = context.clock
    turns = context.turns
    place = context.place
    self.action = { [unowned self] due in action(self, due) }
    keep()
  }

  /// True if a moment is set.
  package var isSet: Bool { timer?.record != nil }

  package func set(at due: Instant) { set { clock.schedule(at: due, for: place, action: $0) } }

  /// Sets it in place of an earlier timer: among timers due at the same time, it runs when that one would have.
  package func set(at due: Instant, inPlaceOf arrival: UInt64) {
    set(TimerRecord(due: due, arrival: arrival, chain: 0))
  }

  private func set(_ record: TimerRecord) { set { clock.schedule(record, for: place, action: $0) } }

  private func set(_ schedule: (@escaping () -> Void) -> GraphTimer) {
    guard !isDisposed else { return }
    cancel()
    // The timer retains this, which releases the timer when it fires or is cancelled: no cycle remains.
    timer = schedule { [self] in ring() }
  }

  private func ring() {
    guard let timer = timer.take() else { return }
    turns.run { action?(timer.due) }
  }

  package func cancel() {
    if let timer = timer.take() { clock.cancel(timer) }
  }

  /// Cancels it for good.
  package func dispose() {
    isDisposed = true
    cancel()
    action = nil
  }

  package func encode(to writer: inout StateEncoder) {
    timer?.record.encode(to: &writer) ?? TimerRecord?.none.encode(to: &writer)
  }

  package func restore(from reader: inout StateDecoder) throws(StateError) {
    if let record = try TimerRecord?(from: &reader) { set(record) }
  }
}
