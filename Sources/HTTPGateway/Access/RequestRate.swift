internal import Linux

/// A rate limit: a number of events a second, and as many at once after a pause.
struct RequestRate {
  let perSecond: Double
  private var left: Double
  private var last: MonotonicInstant

  init(perSecond: Int, now: MonotonicInstant = .now()) {
    self.perSecond = Double(perSecond)
    left = Double(perSecond)
    last = now
  }

  /// Returns `true` and counts the event if the limit allows it.
  mutating func take(now: MonotonicInstant = .now()) -> Bool {
    left = min(perSecond, left + (now - last) / .seconds(1) * perSecond)
    last = max(last, now)
    if left < 1 { return false }
    left -= 1
    return true
  }
}
