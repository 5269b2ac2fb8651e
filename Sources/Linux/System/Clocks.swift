import Base
import Glibc

/// A point in monotonic time (`CLOCK_MONOTONIC`), in nanoseconds since boot.
package struct MonotonicInstant: Comparable, Hashable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static func now() -> MonotonicInstant {
    MonotonicInstant(nanoseconds: read(CLOCK_MONOTONIC).nanoseconds)
  }

  package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns a later point, saturating at the end of the clock.
  package static func + (left: Self, right: Duration) -> Self {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    return MonotonicInstant(nanoseconds: overflow ? .max : sum)
  }

  package static func - (left: Self, right: Self) -> Duration { .nanoseconds(left.nanoseconds - right.nanoseconds) }

  /// Returns the first multiple of a step from here on; the point itself if the step is zero.
  package func roundedUp(to step: Duration) -> Self {
    guard step > .zero, nanoseconds > 0 else { return self }
    let past = nanoseconds % step.nanoseconds
    return past == 0 ? self : self + (step - .nanoseconds(past))
  }

  /// Microseconds, rounded up, as used by sd-event.
  var microseconds: UInt64 { (UInt64(max(0, nanoseconds)) + 999) / 1000 }
}

/// A point in civil time, UTC, in microseconds since 1970.
package struct WallTime: Comparable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package static func now() -> WallTime {
    WallTime(microseconds: read(CLOCK_REALTIME).nanoseconds / 1000)
  }

  package static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

  /// RFC 3339 with microseconds: `2026-05-01T12:00:00.000001Z`.
  package var text: String { RFC3339.text(microseconds: microseconds) }
}

private func read(_ clock: clockid_t) -> timespec {
  var time = timespec()
  clock_gettime(clock, &time)
  return time
}

extension timespec {
  fileprivate var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}
