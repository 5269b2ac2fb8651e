internal import Linux

/// A bound of how often something may happen: so many times a second, and as many at once after a rest.
struct RequestRate {
  let perSecond: Double
  private var left: Double
  private var last: MonotonicInstant

  init(perSecond: Int, now: MonotonicInstant = .now()) {
    self.perSecond = Double(perSecond)
    left = Double(perSecond)
    last = now
  }

  /// Whether it may happen once more.
  mutating func take(now: MonotonicInstant = .now()) -> Bool {
    left = min(perSecond, left + (now - last) / .seconds(1) * perSecond)
    last = max(last, now)
    if left < 1 { return false }
    left -= 1
    return true
  }
}
