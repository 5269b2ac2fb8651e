package import Linux
package import Signals

/// The wall clock beside the monotonic one of the graphs: it may be set, and it continues while the machine sleeps.
///
/// `now` in expressions and the times of the calendar follow it; no other timer depends on it.
package struct WallClock {
  /// The greatest difference that is no jump but the time between reading the two clocks.
  private static let tolerance = Duration.milliseconds(100)
  private static let interval = Duration.seconds(1)

  /// Its offset from the monotonic clock.
  private var offset: Duration
  private var lastLook: MonotonicInstant

  package init(at now: MonotonicInstant, _ wall: WallTime) {
    offset = wall.sinceEpoch - now.sinceStart
    lastLook = now
  }

  /// The seconds since 1970 at time 0 of the monotonic clock.
  package var seconds: Double { offset / .seconds(1) }

  /// Returns the jump since the last check; `nil` if there was none, or if the last check was less than a second ago.
  ///
  /// - Parameter isSet: True if the system has reported that the clock was set, which forces a check.
  package mutating func jump(
    at now: MonotonicInstant, isSet: Bool = false, _ wall: @autoclosure () -> WallTime
  ) -> Duration? {
    guard isSet || now - lastLook >= Self.interval else { return nil }
    lastLook = now
    let jump = wall().sinceEpoch - now.sinceStart - offset
    guard jump > Self.tolerance || jump < .zero - Self.tolerance else { return nil }
    offset += jump
    return jump
  }
}

// MARK: - Handover

extension WallClock: StateFields {
  package mutating func code(_ field: inout StateCoder<WallClock>) throws(StateError) {
    // If the clock was set since the old process read it, the next check detects it.
    try field(&offset)
  }
}

extension WallTime {
  fileprivate var sinceEpoch: Duration { .microseconds(microseconds) }
}

extension MonotonicInstant {
  fileprivate var sinceStart: Duration { .nanoseconds(nanoseconds) }
}
