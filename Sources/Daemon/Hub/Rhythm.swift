import JSON
import ReactiveCore
import SignalGraph
import WireProtocol

/// Which values of a signal a feed passes on and when, and what it says in between: `where`, `every` and `heartbeat`.
final class Rhythm {
  private let signal: RunningSignal
  /// The number of the signal's last value, passed on or not.
  private var sequence: UInt64
  /// Whether the last value that waits was sent by a client, who can be made to wait.
  var isSent = false
  private let clock: GraphClock
  private let condition: WhereClause?
  private let pace: Pace?
  private let heartbeat: Heartbeat?

  /// - Returns: `nil` for a form that passes on everything and says nothing else.
  init?(_ form: EventForm, condition: WhereClause?, signal: RunningSignal, clock: GraphClock, timers: TurnClock) {
    if condition == nil && form.every == nil && form.heartbeat == nil { return nil }
    self.signal = signal
    sequence = signal.isCold ? 0 : signal.sequence
    self.clock = clock
    self.condition = condition
    pace = form.every.map { Pace($0, clock: timers) }
    heartbeat = form.heartbeat.map { Heartbeat($0, clock: timers) }
  }

  /// Has what comes in its own time written into a turn.
  func begin(_ feed: Feed, in turn: Turn) {
    pace?.release = { [unowned self, unowned feed] entry in
      heartbeat?.eventHasCome()
      turn.hasSender = isSent
      feed.write(entry, in: turn)
      turn.closeBatch()
      turn.hasSender = false
      feed.rest()
    }
    pace?.idle = { [unowned feed] in feed.isResting = false }
    pace?.unheard = { [unowned self, unowned feed] in feed.isResting ? takeUnheard() : nil }
    heartbeat?.beat = { [unowned self, unowned feed] in feed.deliverAlive(sequence: lastSequence, in: turn) }
  }

  /// The same where a signal counts on from a lower number, in another epoch.
  private var lastSequence: UInt64 { signal.isCold ? sequence : min(sequence, signal.sequence) }

  func end() {
    pace?.end()
    heartbeat?.end()
  }

  /// Whether a value is passed on now.
  func admits(_ payload: Payload, sequence: UInt64) -> Bool {
    self.sequence = sequence
    guard holds(for: payload) else { return false }
    let entry = Retention.Entry(sequence: sequence, payload: payload, time: clock.microseconds)
    guard pace?.admits(entry) ?? true else { return false }
    heartbeat?.eventHasCome()
    return true
  }

  /// Whether it has to know what a value is, to choose among them.
  var looksInside: Bool { condition != nil }

  /// Whether a value is passed on now that goes to subscribers as its sender wrote it, and that nobody looks into.
  @inline(__always)
  func admits(_ text: Span<UInt8>, sequence: UInt64) -> Bool {
    self.sequence = sequence
    if let pace, !pace.admits(text, sequence: sequence, at: clock.microseconds) { return false }
    heartbeat?.eventHasCome()
    return true
  }

  /// Whether it need not hear of values while a span runs: it wants the newest, and the signal keeps that.
  ///
  /// So a value costs nothing until then. A `where` has to see each, and a `heartbeat` when it comes.
  var mayRest: Bool { pace != nil && condition == nil && heartbeat == nil && !signal.isCold && signal.keepsNewest }

  private func takeUnheard() -> Retention.Entry? {
    guard let newest = signal.retained.last, newest.sequence > lastSequence else { return nil }
    sequence = newest.sequence
    return newest
  }

  /// Keeps the value that waits, which the signal may be about to forget.
  @discardableResult func keepPending() -> Retention.Entry? { pace?.keepPending() }

  /// The value that has to come before an ending.
  func takePending() -> Retention.Entry? { pace?.takePending() }

  /// Those of the retained values that a newcomer is to have: of those that it wants the newest, all within one span.
  func selection(of entries: [Retention.Entry], newest count: Int?) -> [Retention.Entry] {
    var wanted = entries
    if condition != nil { wanted = wanted.filter { holds(for: $0.payload) } }
    if let count { wanted = wanted.suffix(count) }
    guard let pace, let last = wanted.last else { return wanted }
    _ = pace.admits(last)
    return [last]
  }

  private func holds(for payload: Payload) -> Bool {
    condition?.holds(for: payload.value, of: signal.name, at: clock.seconds) ?? true
  }
}

// MARK: - Handing over

extension Rhythm {
  func store(in writer: inout StateWriter) {
    // The number is that of the value that waits, too.
    keepPending()
    lastSequence.store(in: &writer)
    pace?.store(in: &writer)
    heartbeat?.store(in: &writer)
  }

  /// Goes on as one of the same form had come.
  func restore(from reader: inout StateReader) throws(StateError) {
    sequence = try UInt64(from: &reader)
    try pace?.restore(from: &reader)
    try heartbeat?.restore(from: &reader)
  }
}
