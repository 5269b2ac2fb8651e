import Linux

/// How many values may be sent in a second, by a client or by all of a user.
///
/// Up to a second's worth may come at once. A line that sends several values is carried out whole; what it is ahead is
/// waited for afterwards.
struct SendMeter {
  private var rate: Double?
  private var allowance = 0.0
  private var since = MonotonicInstant.now()

  init(rate: Int?) { set(rate: rate) }

  var isUnlimited: Bool { rate == nil }

  /// Takes over another rate, with a full allowance if there was none before.
  mutating func set(rate: Int?) {
    let wasUnlimited = self.rate == nil
    self.rate = rate.map(Double.init)
    if wasUnlimited { allowance = self.rate ?? 0 }
  }

  mutating func count(_ values: Int) {
    if rate != nil { allowance -= Double(values) }
  }

  /// How long it takes until the next value may be sent; `nil` if it may be now.
  mutating func wait(at now: MonotonicInstant) -> Duration? {
    guard let rate else { return nil }
    allowance = min(rate, allowance + rate * ((now - since) / .seconds(1)))
    since = now
    return allowance >= 1 ? nil : .seconds((1 - allowance) / rate)
  }
}
