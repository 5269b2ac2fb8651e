/// The pauses between attempts: each twice as long as the previous one, less a random part of up to one half.
struct Backoff {
  private let bounds: ClosedRange<Duration>
  private var next: Duration

  init(_ bounds: ClosedRange<Duration>) {
    self.bounds = bounds
    next = bounds.lowerBound
  }

  mutating func reset() { next = bounds.lowerBound }

  /// Returns the next pause.
  mutating func pause() -> Duration {
    let pause = next * Double.random(in: 0.5...1)
    next = min(max(next * 2, .milliseconds(1)), bounds.upperBound)
    return pause
  }
}
