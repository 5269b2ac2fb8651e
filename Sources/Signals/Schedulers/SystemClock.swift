import CThread

/// The system clock of a scheduler.
public enum SystemClock: Sendable {
  /// The time since boot, without suspension; it is never adjusted.
  case monotonic
  /// The time of day, since the epoch; it jumps when the system's time is adjusted, and waits on it jump too.
  case wall

  /// The present instant of the clock.
  public var now: Instant {
    switch self {
    case .monotonic: Instant(nanoseconds: signalbox_monotonic_clock())
    case .wall: Instant(nanoseconds: signalbox_wall_clock())
    }
  }
}
