import Linux
import Testing
import World

@testable import Daemon

@Suite struct `The civil clock` {
  /// A moment a number of seconds after the start, on both clocks.
  private func moment(_ seconds: Double, setBy change: Double = 0) -> (MonotonicInstant, WallTime) {
    (
      MonotonicInstant(nanoseconds: Int64(seconds * 1e9)),
      WallTime(microseconds: Int64((1_700_000_000 + seconds + change) * 1e6))
    )
  }

  @Test(arguments: [3600, -3600, 0.5, -86_400]) func `is followed when it is set, once`(change: Double) {
    let (start, wall) = moment(5)
    var clock = WallClock(at: start, wall)
    #expect(clock.seconds == 1_700_000_000)
    var (now, set) = moment(7, setBy: change)
    #expect(clock.jump(at: now, set) == .seconds(change))
    #expect(abs(clock.seconds - (1_700_000_000 + change)) < 0.001)
    (now, set) = moment(9, setBy: change)
    #expect(clock.jump(at: now, set) == nil)
  }

  @Test func `is looked at once a second, and little differences are none`() {
    let (start, wall) = moment(5)
    var clock = WallClock(at: start, wall)
    var (now, set) = moment(5.9, setBy: 100)
    #expect(clock.jump(at: now, set) == nil)
    (now, set) = moment(6, setBy: 0.05)
    #expect(clock.jump(at: now, set) == nil)
    (now, set) = moment(7, setBy: 100)
    #expect(clock.jump(at: now, set) == .seconds(100))
  }
}
