import CThread

/// Which of the system's clocks a scheduler goes by.
public enum SystemClock: Sendable {
  /// The time since the system was started, without that in which it was suspended; nobody puts it forward or back.
  case monotonic
  /// The time of day, since the epoch; it jumps when the system's time is put right, and waits on it jump too.
  case wall

  /// The present instant of the clock.
  public var now: Instant {
    switch self {
    case .monotonic: Instant(nanoseconds: signalbox_monotonic_clock())
    case .wall: Instant(nanoseconds: signalbox_wall_clock())
    }
  }
}
