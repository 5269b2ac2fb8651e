/// The pauses between attempts: each twice as long as the one before, less a random part of up to one half.
struct Backoff {
  private let bounds: ClosedRange<Duration>
  private var attempts = 0

  init(_ bounds: ClosedRange<Duration>) { self.bounds = bounds }

  mutating func reset() { attempts = 0 }

  /// Returns the pause to make now.
  mutating func pause() -> Duration {
    attempts += 1
    return Self.pause(bounds, after: attempts)
  }

  /// Returns the pause after so many attempts.
  static func pause(_ bounds: ClosedRange<Duration>, after attempts: Int) -> Duration {
    let doublings = min(max(attempts - 1, 0), 30)
    return min(bounds.lowerBound * (1 << doublings), bounds.upperBound) * Double.random(in: 0.5...1)
  }
}
