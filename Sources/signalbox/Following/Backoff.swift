/// The exponential backoff of reconnection attempts, up to a maximum.
///
/// Each pause is shortened by a random part of up to one half, so that clients that lost the daemon together do not all
/// reconnect at once.
struct Backoff {
  static let first = Duration.milliseconds(100)
  static let longest = Duration.seconds(10)

  private var next = Self.first

  /// Returns the next pause.
  mutating func pause(using generator: inout some RandomNumberGenerator) -> Duration {
    let pause = next * Double.random(in: 0.5...1, using: &generator)
    next = min(next * 2, Self.longest)
    return pause
  }

  /// Resets to short pauses, after a connection has been useful.
  mutating func reset() { next = Self.first }
}
