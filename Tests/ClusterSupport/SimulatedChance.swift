package import TestSupport

/// The random choices of a simulation, by its seed.
package struct SimulatedChance {
  package var random: SplitMix

  package init(seed: Int) { random = SplitMix(seed: UInt64(seed)) }

  /// Returns true in so many of a thousand cases.
  package mutating func happens(_ perMille: Int) -> Bool { Int(random.next() % 1000) < perMille }

  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(random.next() % UInt64(range.count))
  }

  /// Returns a duration in milliseconds.
  package mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration { .milliseconds(number(range)) }
}
