import JSON
import Linux
import ReactiveCore
import SignalGraph

/// The `every` of a subscription: at most one value in that time, the newest.
///
/// The first value passes at once and opens a span of time; of those that come within it the newest waits for its end.
/// A span may end late by up to a tenth of it, 10 ms at most, so that the values of many signals go in one piece.
final class Pace {
  private let span: Duration
  private var slack: Duration { min(span / 10, .milliseconds(10)) }
  private let clock: TurnClock
  private var timer: TurnTimer?
  private var pending: Retention.Entry?
  /// Takes a value that has waited.
  var release: (Retention.Entry) -> Void = { _ in }

  init(_ span: Duration, clock: TurnClock) {
    self.span = span
    self.clock = clock
  }

  /// Whether a value passes now; else it waits.
  func admits(_ entry: Retention.Entry) -> Bool {
    guard timer == nil else {
      pending = entry
      return false
    }
    openSpan(for: span)
    return true
  }

  /// The value that waits; it is wanted before an ending.
  func takePending() -> Retention.Entry? {
    defer { pending = nil }
    return pending
  }

  func end() {
    if let timer { clock.cancel(timer) }
    timer = nil
    pending = nil
  }

  private func openSpan(for time: Duration) {
    timer = clock.schedule(after: time, slack: slack) { [unowned self] in spanIsOver() }
  }

  private func spanIsOver() {
    guard let ended = timer?.due else { return }
    timer = nil
    guard let entry = takePending() else { return }
    // Each turn is a little behind its timer; counted from the turn, the next span would end late by the whole slack.
    let lateness = clock.now - ended
    openSpan(for: lateness < slack ? span - lateness : span)
    release(entry)
  }
}

// MARK: - Handing over

extension Pace {
  func store(in writer: inout StateWriter) {
    (timer?.due.nanoseconds).store(in: &writer)
    pending.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    if let due = try Int64?(from: &reader) { openSpan(for: MonotonicInstant(nanoseconds: due) - clock.now) }
    pending = try Retention.Entry?(from: &reader)
  }
}
