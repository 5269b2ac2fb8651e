import Testing

@testable import Bridge

/// The pauses between attempts to connect, of all kinds.
@Suite struct `Pauses between attempts` {
  private static let bounds = Duration.seconds(1)...Duration.seconds(60)

  @Test(arguments: [(0, 1), (1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (1_000_000, 60)])
  func `double up to a bound, less a random part of up to one half`(attempts: Int, longest: Int) {
    let pauses = (0..<50).map { _ in Backoff.pause(Self.bounds, after: attempts) }
    #expect(pauses.allSatisfy { $0 <= .seconds(longest) && $0 >= .milliseconds(500 * longest) })
    #expect(Set(pauses).count > 1)
  }

  @Test func `begin again after a connection`() {
    var backoff = Backoff(Self.bounds)
    for _ in 0..<9 { _ = backoff.pause() }
    backoff.reset()
    #expect(backoff.pause() <= .seconds(1))
  }
}
