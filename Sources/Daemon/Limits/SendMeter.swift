import Linux
import Signals

/// The rate of values that a client, or all clients of a user, may send, and the senders that wait for it.
///
/// Up to a second's worth may be sent at once. A line with several values is handled as a whole; its client then waits
/// until it is within its rate again.
final class SendMeter {
  /// The shortest interval between resumptions of waiting senders.
  private static let shortestPause = Duration.milliseconds(1)

  private var rate: Double?
  private var allowance = 0.0
  private var since: MonotonicInstant
  private var waiting = WaitingSenders()
  private var isPausing = false

  init(rate: Int?, at now: MonotonicInstant = .now()) {
    since = now
    set(rate: rate)
  }

  var isUnlimited: Bool { rate == nil }

  /// Applies another rate, with a full allowance if there was none before; waiting senders try again.
  func set(rate: Int?) {
    let wasUnlimited = self.rate == nil
    self.rate = rate.map(Double.init)
    if wasUnlimited { allowance = self.rate ?? 0 }
    // A pause that was begun at another rate may be far too long.
    isPausing = false
    for sender in waiting.take() { sender.proceed() }
  }

  func count(_ values: Int) {
    if rate != nil { allowance -= Double(values) }
  }

  /// Returns `true` if a value may be sent now.
  func admits(at now: MonotonicInstant) -> Bool {
    refill(at: now)
    return rate == nil || allowance >= 1
  }

  /// Returns `true` if the allowance has recovered completely.
  func isFull(at now: MonotonicInstant) -> Bool {
    refill(at: now)
    return rate.map { allowance >= $0 } ?? true
  }

  func wait(_ sender: any Sender) { waiting.append(sender) }

  /// Returns the time until `endPause` is due; `nil` without waiting senders, or if a pause has begun already.
  func beginPause() -> Duration? {
    guard let rate, !isPausing, !waiting.isEmpty else { return nil }
    isPausing = true
    return max(Self.shortestPause, .seconds(max(1, 1 - allowance) / rate))
  }

  /// Resumes as many waiting senders as values may be sent.
  func endPause(at now: MonotonicInstant) {
    isPausing = false
    guard admits(at: now) else { return }
    for sender in waiting.take(rate == nil ? .max : Int(allowance)) { sender.proceed() }
  }

  private func refill(at now: MonotonicInstant) {
    guard let rate else { return }
    allowance = min(rate, allowance + rate * ((now - since) / .seconds(1)))
    since = now
  }
}

// MARK: - Handover

extension SendMeter: StateFields {
  func code(_ field: inout StateCoder<SendMeter>) throws(StateError) {
    try field(&allowance)
    try field(&since)
    try field.require(allowance.isFinite, "invalid allowance")
  }
}
