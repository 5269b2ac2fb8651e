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
  private let slack: Duration
  private let clock: TurnClock
  private var timer: TurnTimer?
  private var pending: Pending?

  /// The value that waits: as a graph made it, or as its sender wrote it.
  private enum Pending {
    case entry(Retention.Entry)
    case text([UInt8], sequence: UInt64, time: Int64)
  }

  /// Takes a value that has waited.
  var release: (Retention.Entry) -> Void = { _ in }
  /// A span is over, and nothing waits.
  var idle: () -> Void = {}
  /// Gives the newest value that it was not told of, if its signal keeps one.
  var unheard: () -> Retention.Entry? = { nil }

  init(_ span: Duration, clock: TurnClock) {
    self.span = span
    slack = min(span / 10, .milliseconds(10))
    self.clock = clock
  }

  /// Whether a value passes now; else it waits.
  func admits(_ entry: Retention.Entry) -> Bool {
    guard timer == nil else {
      pending = .entry(entry)
      return false
    }
    openSpan(for: span)
    return true
  }

  /// The same for a value that goes to subscribers as its sender wrote it: of those that wait, only the text is kept.
  ///
  /// - Parameters:
  ///   - text: Valid JSON.
  ///   - time: When it came, in microseconds since 1970.
  @inline(__always)
  func admits(_ text: Span<UInt8>, sequence: UInt64, at time: Int64) -> Bool {
    guard timer == nil else {
      hold(text, sequence, time)
      return false
    }
    openSpan(for: span)
    return true
  }

  /// Writes it over the one before, which is in nobody's way.
  private func hold(_ text: Span<UInt8>, _ sequence: UInt64, _ time: Int64) {
    var bytes: [UInt8] = []
    if case .text(let earlier, _, _)? = pending.take() { bytes = earlier }
    bytes.removeAll(keepingCapacity: true)
    text.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    pending = .text(bytes, sequence: sequence, time: time)
  }

  /// The value that waits; it is wanted before an ending.
  func takePending() -> Retention.Entry? {
    let pending = pending.take()
    if let newest = unheard() { return newest }
    return switch pending {
    case .entry(let entry)?: entry
    case .text(let bytes, let sequence, let time)?:
      Retention.Entry(sequence: sequence, payload: .raw(RawJSON(validated: bytes)), time: time)
    case nil: nil
    }
  }

  /// Keeps the value that waits, which the signal may be about to forget.
  ///
  /// - Returns: That value.
  @discardableResult func keepPending() -> Retention.Entry? {
    let entry = takePending()
    pending = entry.map { .entry($0) }
    return entry
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
    guard let entry = takePending() else { return idle() }
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
    keepPending().store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    if let due = try Int64?(from: &reader) { openSpan(for: MonotonicInstant(nanoseconds: due) - clock.now) }
    pending = try Retention.Entry?(from: &reader).map { .entry($0) }
  }
}
