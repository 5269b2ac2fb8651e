package import Signals

/// The graph's clock for one operator.
///
/// Scheduled work runs on the graph's own thread, as a turn; work for now runs at once, in the present turn.
package final class GraphScheduler: RecordingScheduler {
  private let clock: GraphClock
  private let turns: Turns
  private let place: DeclaredPlace

  /// - Parameter place: The place of the operator.
  init(clock: GraphClock, turns: Turns, place: DeclaredPlace) {
    self.clock = clock
    self.turns = turns
    self.place = place
  }

  package var currentDate: Instant { clock.now }

  package func moment(ofTimerDue due: Instant) -> Instant { clock.moment(ofTimerDue: due) }

  package func schedule(_ action: @escaping () -> Void) -> (any Disposable)? {
    action()
    return nil
  }

  package func schedule(after date: Instant, action: @escaping () -> Void) -> (any Disposable)? {
    clock.schedule(at: date, for: place, in: turns, action: action)
  }

  package func schedule(_ record: TimerRecord, action: @escaping () -> Void) -> any Disposable {
    clock.schedule(record, for: place, in: turns, action: action)
  }

  /// Schedules repeated work: ticks missed while the clock stood still are skipped, and the phase is kept.
  package func schedule(
    after date: Instant, interval: Duration, leeway: Duration = .zero, action: @escaping () -> Void
  ) -> (any Disposable)? {
    let current = SerialDisposable()
    scheduleNext(at: date, interval: interval, current, action)
    return current
  }

  private func scheduleNext(
    at due: Instant, interval: Duration, _ current: SerialDisposable, _ action: @escaping () -> Void
  ) {
    guard !current.isDisposed else { return }
    current.inner = schedule(after: due) { [self] in
      var next = due + interval
      if next <= clock.now { next = due + interval * (Int((clock.now - due) / interval) + 1) }
      scheduleNext(at: next, interval: interval, current, action)
      action()
    }
  }
}
