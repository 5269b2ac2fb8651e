import GraphEngine
import JSON
import Linux
import Signals
import WireProtocol

/// The delivery policy of a delivery group: `where`, `every` and `heartbeat`.
final class DeliveryPolicy {
  private let signal: RunningSignal
  /// The number of the signal's last value, delivered or not.
  private var sequence: UInt64
  /// True if the value that waits was sent by a client, which can be paused.
  var isSent = false
  private let clock: GraphClock
  private let condition: WhereClause?
  private let throttle: Throttle?
  private let heartbeat: Heartbeat?

  /// - Returns: `nil` for a form that delivers every value and has no heartbeat.
  init?(_ form: EventForm, condition: WhereClause?, signal: RunningSignal, clock: GraphClock, timers: IterationClock) {
    if condition == nil && form.every == nil && form.heartbeat == nil { return nil }
    self.signal = signal
    sequence = signal.isCold ? 0 : signal.sequence
    self.clock = clock
    self.condition = condition
    throttle = form.every.map { Throttle($0, clock: timers) }
    heartbeat = form.heartbeat.map { Heartbeat($0, clock: timers) }
  }

  /// Connects the timers to an iteration's output.
  func begin(_ group: DeliveryGroup, in iteration: LoopIteration) {
    throttle?.release = { [unowned self, unowned group] entry in
      heartbeat?.noteEvent()
      iteration.hasSender = isSent
      group.write(entry, in: iteration)
      iteration.closeBatch()
      iteration.hasSender = false
      group.rest()
    }
    throttle?.idle = { [unowned group] in group.isResting = false }
    throttle?.bypassed = { [unowned self, unowned group] in group.isResting ? takeBypassed() : nil }
    heartbeat?.beat = { [unowned self, unowned group] in
      // A value that waits for its interval has yet to come.
      let sequence = keepPending().map { $0.sequence - 1 } ?? lastSequence
      group.deliverAlive(sequence: sequence, in: iteration)
    }
  }

  /// The number of the signal's last value, where a new epoch may have restarted the count at a lower one.
  private var lastSequence: UInt64 { signal.isCold ? sequence : min(sequence, signal.sequence) }

  func end() {
    throttle?.end()
    heartbeat?.end()
  }

  /// Returns `true` if a value is delivered now.
  func admits(_ payload: Payload, sequence: UInt64) -> Bool {
    self.sequence = sequence
    guard holds(for: payload) else { return false }
    let entry = Retention.Entry(sequence: sequence, payload: payload, time: clock.microseconds)
    guard throttle?.admits(entry) ?? true else { return false }
    heartbeat?.noteEvent()
    return true
  }

  /// True if values have to be parsed to choose among them.
  var looksInside: Bool { condition != nil }

  /// Returns `true` if a value is delivered now that is published as its sender wrote it, without being parsed.
  @inline(__always)
  func admits(_ text: Span<UInt8>, sequence: UInt64) -> Bool {
    self.sequence = sequence
    if let throttle, !throttle.admits(text, sequence: sequence, at: clock.microseconds) { return false }
    heartbeat?.noteEvent()
    return true
  }

  /// True if values may bypass the delivery group during an interval: only the newest matters, and the signal retains
  /// it.
  ///
  /// A value then costs nothing until the interval ends. A `where` has to see each, and a `heartbeat` its time.
  var mayRest: Bool { throttle != nil && condition == nil && heartbeat == nil && !signal.isCold && signal.keepsNewest }

  private func takeBypassed() -> Retention.Entry? {
    guard let newest = signal.retained.last, newest.sequence > lastSequence else { return nil }
    sequence = newest.sequence
    return newest
  }

  /// Copies the value that waits, since the signal may be about to discard it.
  @discardableResult func keepPending() -> Retention.Entry? { throttle?.keepPending() }

  /// Takes the value that must be delivered before an ending.
  func takePending() -> Retention.Entry? { throttle?.takePending() }

  /// The cost of the last condition in estimated nanoseconds.
  var cost: Int { condition?.cost ?? 0 }

  /// Records a value that is not delivered.
  func pass(_ sequence: UInt64) { self.sequence = sequence }

  /// Selects the retained values for a new subscription, the newest first: those that match, or the newest of these
  /// with an interval.
  ///
  /// - Returns: The values, and the number of older ones that the user's budget left no work for.
  func selection(
    of entries: [Retention.Entry], newest count: Int?, for account: Account, in window: UInt64
  ) -> (wanted: [Retention.Entry], missed: Int) {
    if condition == nil, throttle == nil { return (count.map { Array(entries.suffix($0)) } ?? entries, 0) }
    let most = throttle == nil ? count ?? .max : min(1, count ?? 1)
    var wanted: [Retention.Entry] = []
    var missed = 0
    for (place, entry) in entries.enumerated().reversed() where wanted.count < most {
      guard account.work.hasRest(in: window) else {
        missed = place + 1
        break
      }
      if holds(for: entry.payload) { wanted.append(entry) }
      account.work.spend(WorkBudget.delivery + cost, in: window)
    }
    wanted.reverse()
    if let throttle, let last = wanted.last { _ = throttle.admits(last) }
    return (wanted, missed)
  }

  private func holds(for payload: Payload) -> Bool {
    condition?.holds(for: payload, of: signal.name, at: clock.seconds) ?? true
  }
}

// MARK: - Handover

extension DeliveryPolicy: StateFields {
  /// Codes the state that a delivery group of equal form continues.
  func code(_ field: inout StateCoder<DeliveryPolicy>) throws(StateError) {
    try field(\.countedSequence) { sequence = $0 }
    if let throttle { try field(throttle) }
    if let heartbeat { try field(heartbeat) }
  }

  /// The number of the last value, the waiting one included.
  private var countedSequence: UInt64 {
    keepPending()
    return lastSequence
  }
}
