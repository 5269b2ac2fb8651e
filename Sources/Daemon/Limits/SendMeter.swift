import Linux
import ReactiveCore

/// How many values may be sent in a second, by a client or by all of a user, and who waits until more may be.
///
/// Up to a second's worth may come at once. A line that sends several values is carried out whole; its client
/// then waits until it is within its rate again.
final class SendMeter {
  /// How often those who wait are looked after at most.
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

  /// Takes over another rate, with a full allowance if there was none before; waiting senders try again.
  func set(rate: Int?) {
    let wasUnlimited = self.rate == nil
    self.rate = rate.map(Double.init)
    if wasUnlimited { allowance = self.rate ?? 0 }
    // A pause that was begun at another rate may be far too long.
    isPausing = false
    waiting.release()
  }

  func count(_ values: Int) {
    if rate != nil { allowance -= Double(values) }
  }

  /// Whether a value may be sent now.
  func admits(at now: MonotonicInstant) -> Bool {
    refill(at: now)
    return rate == nil || allowance >= 1
  }

  /// Whether it is as if nothing had ever been sent.
  func isFull(at now: MonotonicInstant) -> Bool {
    refill(at: now)
    return rate.map { allowance >= $0 } ?? true
  }

  func wait(_ sender: any Sender) { waiting.append(sender) }

  /// How long it takes until `pauseIsOver` is to be called; `nil` if nobody waits, or if it will be.
  func beginPause() -> Duration? {
    guard let rate, !isPausing, !waiting.isEmpty else { return nil }
    isPausing = true
    return max(Self.shortestPause, .seconds(max(1, 1 - allowance) / rate))
  }

  /// Lets as many of those who wait go on as there are values that may be sent.
  func pauseIsOver(at now: MonotonicInstant) {
    isPausing = false
    if admits(at: now) { waiting.release(rate == nil ? .max : Int(allowance)) }
  }

  private func refill(at now: MonotonicInstant) {
    guard let rate else { return }
    allowance = min(rate, allowance + rate * ((now - since) / .seconds(1)))
    since = now
  }
}

// MARK: - Handing over

extension SendMeter {
  func store(in writer: inout StateWriter) {
    allowance.store(in: &writer)
    since.nanoseconds.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    allowance = try Double(from: &reader)
    since = MonotonicInstant(nanoseconds: try Int64(from: &reader))
    guard allowance.isFinite else { throw StateError("an allowance is no number") }
  }
}
