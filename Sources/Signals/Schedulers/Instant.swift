/// A moment of a scheduler's clock, in nanoseconds since that clock's zero.
///
/// The scheduler defines the zero: the boot of the system for a queue, the epoch for the wall clock, a given start for
/// a test. So only instants of one scheduler are comparable.
public struct Instant: InstantProtocol {
  /// Nanoseconds since the clock's zero.
  public var nanoseconds: Int64

  /// A moment by its distance from the clock's zero.
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The clock's zero.
  public static let zero = Instant(nanoseconds: 0)

  /// The last representable moment.
  public static let distantFuture = Instant(nanoseconds: .max)

  /// True if `left` is earlier.
  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns the moment that is `duration` later, or the last representable one.
  public static func + (instant: Instant, duration: Duration) -> Instant {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.nanoseconds)
    return Instant(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }

  /// Returns the moment that is `duration` earlier, or the first representable one.
  public static func - (instant: Instant, duration: Duration) -> Instant {
    let (difference, overflow) = instant.nanoseconds.subtractingReportingOverflow(duration.nanoseconds)
    return Instant(nanoseconds: overflow ? .min : difference)
  }

  /// Returns the time from `right` to `left`.
  public static func - (left: Instant, right: Instant) -> Duration {
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return overflow ? .nanoseconds(left.nanoseconds) - .nanoseconds(right.nanoseconds) : .nanoseconds(difference)
  }

  /// Returns the moment that is `duration` later, or the last representable one.
  public func advanced(by duration: Duration) -> Instant { self + duration }

  /// Returns the time from here to another moment.
  public func duration(to other: Instant) -> Duration { other - self }

  /// Moves the moment later by `duration`.
  public static func += (instant: inout Instant, duration: Duration) { instant = instant + duration }
}

extension Duration {
  /// The duration in nanoseconds, rounded towards zero; clamped at 292 years.
  @usableFromInline var nanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

  /// Converts seconds as ReactiveSwift's operators take them; negative ones count as zero.
  ///
  /// - Precondition: `seconds` is a number.
  package static func timeInterval(_ seconds: Double) -> Duration {
    precondition(!seconds.isNaN, "an interval must be a number")
    return .nanoseconds(Int64(min(max(seconds, 0) * 1e9, 9e18).rounded()))
  }
}
