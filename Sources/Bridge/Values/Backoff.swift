internal import Linux

/// The pauses between attempts: each twice as long as the one before, less a random part of up to one half.
struct Backoff {
  private let bounds: ClosedRange<Duration>
  private var next: Duration

  init(_ bounds: ClosedRange<Duration>) {
    self.bounds = bounds
    next = bounds.lowerBound
  }

  mutating func reset() { next = bounds.lowerBound }

  /// Returns the pause to make now.
  mutating func pause() -> Duration {
    let pause = next * Double.random(in: 0.5...1)
    next = min(next * 2, bounds.upperBound)
    return pause
  }
}
