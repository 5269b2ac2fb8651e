import ReactiveCore

/// The moment that an operator waits for: one at a time, saved with its body.
final class Alarm: KeptMemory, Disposable, @unchecked Sendable {
  private let clock: GraphClock
  private let turns: Turns
  private let place: DeclaredPlace
  private var timer: GraphTimer?
  private(set) var isDisposed = false
  /// Done at that moment, as a turn; told when it was due.
  private var action: ((_ due: Instant) -> Void)?

  init(_ context: OperatorContext, _ action: @escaping (Alarm, _ due: Instant) -> Void) {
    clock = context.clock
    turns = context.turns
    place = context.place
    self.action = { [unowned self] due in action(self, due) }
    keep()
  }

  /// Whether a moment is waited for.
  var isSet: Bool { timer?.record != nil }

  func set(at due: Instant) { set { clock.schedule(at: due, for: place, action: $0) } }

  /// The same in the place of a timer that came earlier: of those due at the same time it runs when that would have.
  func set(at due: Instant, inPlaceOf arrival: UInt64) {
    set(TimerRecord(due: due, arrival: arrival, chain: 0))
  }

  private func set(_ record: TimerRecord) { set { clock.schedule(record, for: place, action: $0) } }

  private func set(_ schedule: (@escaping () -> Void) -> GraphTimer) {
    guard !isDisposed else { return }
    cancel()
    // The timer must not hold itself: it holds this, which lets go of it when it rings and when it is cancelled.
    timer = schedule { [self] in ring() }
  }

  private func ring() {
    guard let timer = timer.take() else { return }
    turns.run { action?(timer.due) }
  }

  func cancel() {
    if let timer = timer.take() { clock.cancel(timer) }
  }

  /// Waits for nothing any more.
  func dispose() {
    isDisposed = true
    cancel()
    action = nil
  }

  func store(in writer: inout StateWriter) { timer?.record.store(in: &writer) ?? TimerRecord?.none.store(in: &writer) }

  func restore(from reader: inout StateReader) throws(StateError) {
    if let record = try TimerRecord?(from: &reader) { set(record) }
  }
}
