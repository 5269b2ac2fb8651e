import GraphEngine
import JSON
import Linux
import Signals

/// The `every` of a subscription: at most one value per interval, the newest.
///
/// The first value passes at once and opens an interval; of those within it, the newest waits for its end. An interval
/// may end late by up to a tenth of it, 10 ms at most, so that the values of many signals are written together.
final class Throttle {
  private let span: Duration
  private let slack: Duration
  private let clock: IterationClock
  private var timer: IterationTimer?
  private var pending: Pending?

  /// The value that waits: as a graph computed it, or as its sender wrote it.
  private enum Pending {
    case entry(Retention.Entry)
    case text([UInt8], sequence: UInt64, time: Int64)
  }

  /// Delivers a value that has waited.
  var release: (Retention.Entry) -> Void = { _ in }
  /// Called when an interval ends and no value waits.
  var idle: () -> Void = {}
  /// Returns the newest value that has bypassed the throttle, if the signal retains one.
  var bypassed: () -> Retention.Entry? = { nil }

  init(_ span: Duration, clock: IterationClock) {
    self.span = span
    slack = min(span / 10, .milliseconds(10))
    self.clock = clock
  }

  /// Returns `true` if a value passes now; otherwise it waits.
  func admits(_ entry: Retention.Entry) -> Bool {
    guard timer == nil else {
      pending = .entry(entry)
      return false
    }
    openSpan(for: span)
    return true
  }

  /// Returns `true` if a value passes now that is published as its sender wrote it; otherwise its text waits.
  ///
  /// - Parameters:
  ///   - text: Valid JSON.
  ///   - time: The time of arrival, in microseconds since 1970.
  @inline(__always)
  func admits(_ text: Span<UInt8>, sequence: UInt64, at time: Int64) -> Bool {
    guard timer == nil else {
      hold(text, sequence, time)
      return false
    }
    openSpan(for: span)
    return true
  }

  /// Overwrites the waiting value, reusing its memory.
  private func hold(_ text: Span<UInt8>, _ sequence: UInt64, _ time: Int64) {
    var bytes: [UInt8] = []
    if case .text(let earlier, _, _)? = pending.take() { bytes = earlier }
    bytes.removeAll(keepingCapacity: true)
    text.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    pending = .text(bytes, sequence: sequence, time: time)
  }

  /// Takes the value that waits, which must be delivered before an ending.
  func takePending() -> Retention.Entry? {
    let pending = pending.take()
    if let newest = bypassed() { return newest }
    return switch pending {
    case .entry(let entry)?: entry
    case .text(let bytes, let sequence, let time)?:
      Retention.Entry(sequence: sequence, payload: .raw(RawJSON(validated: bytes)), time: time)
    case nil: nil
    }
  }

  /// Copies the value that waits, since the signal may be about to discard it.
  ///
  /// - Returns: That value.
  @discardableResult func keepPending() -> Retention.Entry? {
    let entry = takePending()
    pending = entry.map { .entry($0) }
    return entry
  }

  deinit { end() }

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
    // Each iteration begins a little after its timer; counted from there, the next interval would end late by the whole
    // slack.
    let lateness = clock.now - ended
    openSpan(for: lateness < slack ? span - lateness : span)
    release(entry)
  }
}

// MARK: - Handover

extension Throttle: StateFields {
  func code(_ field: inout StateCoder<Throttle>) throws(StateError) {
    try field({ $0.timer?.due }) { if let due = $0 { openSpan(for: due - clock.now) } }
    try field({ $0.keepPending() }) { pending = $0.map { .entry($0) } }
  }
}
