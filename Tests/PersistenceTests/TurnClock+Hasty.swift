import Signals
import TestSupport

@testable import Persistence

extension TurnClock {
  /// Returns a clock by which one in `odds` evaluations and values takes too long.
  static func hasty(oneIn odds: Int = 50) -> TurnClock {
    var (random, time) = (SplitMix(seed: 1), Instant.zero)
    return TurnClock(interval: 1) {
      time += Int.random(in: 0..<odds, using: &random) == 0 ? .seconds(2) : .zero
      return time
    }
  }
}
