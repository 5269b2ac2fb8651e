import Linux
import ReactiveCore

/// The civil clock beside the monotonic one that graphs run by: it may be set, and it goes on while the machine sleeps.
///
/// `now` in expressions and the times of the calendar follow it; no other timer depends on it.
struct WallClock {
  /// The greatest difference that is no jump but the time between two looks at two clocks.
  private static let tolerance = Duration.milliseconds(100)
  private static let interval = Duration.seconds(1)

  /// How far it is ahead of the monotonic clock.
  private var offset: Duration
  private var lastLook: MonotonicInstant

  init(at now: MonotonicInstant, _ wall: WallTime) {
    offset = wall.sinceEpoch - now.sinceStart
    lastLook = now
  }

  /// Seconds since 1970 at the time 0 of the monotonic clock.
  var seconds: Double { offset / .seconds(1) }

  /// By how much it has jumped since the last look; `nil` where it has not, or where that was less than a second ago.
  ///
  /// - Parameter isSet: Whether the system says that it was set, so that it has to be looked at.
  mutating func jump(
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

// MARK: - Handing over

extension WallClock {
  func store(in writer: inout StateWriter) { offset.store(in: &writer) }

  /// Goes on with the offset that another process knew: if the clock was set meanwhile, that is seen as ever.
  mutating func restore(from reader: inout StateReader) throws(StateError) { offset = try Duration(from: &reader) }
}

extension WallTime {
  fileprivate var sinceEpoch: Duration { .microseconds(microseconds) }
}

extension MonotonicInstant {
  fileprivate var sinceStart: Duration { .nanoseconds(nanoseconds) }
}
