/// The pauses before one connection is tried after another: each twice as long as the one before, up to a bound.
///
/// A random part of up to one half is taken off each, so that clients that lost the daemon together do not all come
/// back at one moment.
struct Backoff {
  static let first = Duration.milliseconds(100)
  static let longest = Duration.seconds(10)

  private var next = Self.first

  /// The pause to make now.
  mutating func pause(using generator: inout some RandomNumberGenerator) -> Duration {
    let pause = next * Double.random(in: 0.5...1, using: &generator)
    next = min(next * 2, Self.longest)
    return pause
  }

  /// Begins with short pauses again, once a connection was of use.
  mutating func reset() { next = Self.first }
}
