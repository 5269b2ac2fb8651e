/// The pauses between attempts: each twice as long as the one before, less a random part of up to one half.
///
/// Clients that lost the daemon together do not reconnect together, due to the random part.
package struct Backoff: Sendable {
  /// The shortest and the longest pause between attempts to connect to the daemon.
  package static let usual: ClosedRange<Duration> = .milliseconds(100)...(.seconds(10))

  private let bounds: ClosedRange<Duration>
  private var next: Duration

  package init(_ bounds: ClosedRange<Duration> = usual) {
    self.bounds = bounds
    next = bounds.lowerBound
  }

  /// Resets to short pauses, after an attempt has been useful.
  package mutating func reset() { next = bounds.lowerBound }

  /// Returns the next pause.
  package mutating func pause() -> Duration {
    let pause = next * Double.random(in: 0.5...1)
    next = min(max(next * 2, .milliseconds(1)), bounds.upperBound)
    return pause
  }
}
