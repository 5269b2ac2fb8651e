package import Signals

/// A clock that limits the time of turns.
package struct TurnClock {
  /// The evaluations and values between two readings.
  let interval: Int
  let now: () -> Instant

  package init(interval: Int = 32, now: @escaping () -> Instant) { (self.interval, self.now) = (interval, now) }
}
