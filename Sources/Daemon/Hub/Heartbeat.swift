import Linux
import Signals

/// The `heartbeat` of a subscription: a callback whenever there has been no event for that time.
final class Heartbeat {
  private let span: Duration
  private let clock: IterationClock
  private var timer: IterationTimer?
  private var lastEvent: MonotonicInstant
  /// Reports that the signal is alive.
  var beat: () -> Void = {}

  init(_ span: Duration, clock: IterationClock) {
    self.span = span
    self.clock = clock
    lastEvent = clock.now
    wait()
  }

  /// Restarts the interval after an event.
  @inline(__always)
  func noteEvent() { lastEvent = clock.now }

  deinit { end() }

  func end() {
    if let timer { clock.cancel(timer) }
    timer = nil
  }

  /// Schedules the timer from the last event on.
  ///
  /// Events do not touch the timer, which checks when it is due and waits again if it is too early.
  private func wait() {
    timer = clock.schedule(after: lastEvent + span - clock.now) { [unowned self] in
      timer = nil
      if clock.now - lastEvent >= span {
        lastEvent = clock.now
        wait()
        beat()
      } else {
        wait()
      }
    }
  }
}

// MARK: - Handover

extension Heartbeat: StateFields {
  func code(_ field: inout StateCoder<Heartbeat>) throws(StateError) {
    try field(\.lastEvent) {
      end()
      lastEvent = $0
      wait()
    }
  }
}
