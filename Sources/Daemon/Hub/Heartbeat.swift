import Linux
import ReactiveCore

/// The `heartbeat` of a subscription: a word whenever nothing has come for that time.
final class Heartbeat {
  private let span: Duration
  private let clock: TurnClock
  private var timer: TurnTimer?
  private var lastEvent: MonotonicInstant
  /// Says that the signal is alive.
  var beat: () -> Void = {}

  init(_ span: Duration, clock: TurnClock) {
    self.span = span
    self.clock = clock
    lastEvent = clock.now
    wait()
  }

  /// Something has come: the quiet begins anew.
  @inline(__always)
  func eventHasCome() { lastEvent = clock.now }

  func end() {
    if let timer { clock.cancel(timer) }
    timer = nil
  }

  /// Waits from the last event on.
  ///
  /// Events do not touch the timer, which looks when it is due whether it is too early.
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

// MARK: - Handing over

extension Heartbeat {
  func store(in writer: inout StateWriter) { lastEvent.nanoseconds.store(in: &writer) }

  func restore(from reader: inout StateReader) throws(StateError) {
    end()
    lastEvent = MonotonicInstant(nanoseconds: try Int64(from: &reader))
    wait()
  }
}
