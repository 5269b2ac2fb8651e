import ClientCore
import Testing

/// The pauses between attempts to connect.
@Suite struct `Pauses between attempts` {
  @Test func `double up to a bound, less a random part of up to one half`() {
    let longest = [1, 2, 4, 8, 16, 32, 60, 60, 60]
    let runs = (0..<50).map { _ in
      var backoff = Backoff(.seconds(1)...(.seconds(60)))
      return longest.map { _ in backoff.pause() }
    }
    for pauses in runs {
      #expect(
        zip(pauses, longest).allSatisfy { $0 <= .seconds($1) && $0 >= .milliseconds(500 * $1) }, "\(pauses)")
    }
    #expect(Set(runs.map(\.last)).count > 1)
  }

  @Test func `begin again after a connection`() {
    var backoff = Backoff(.seconds(1)...(.seconds(60)))
    for _ in 0..<9 { _ = backoff.pause() }
    backoff.reset()
    #expect(backoff.pause() <= .seconds(1))
  }

  @Test func `grow from nothing as well`() {
    var backoff = Backoff(.zero ... .milliseconds(20))
    #expect(backoff.pause() == .zero)
    for _ in 0..<9 { _ = backoff.pause() }
    #expect(backoff.pause() >= .milliseconds(10))
  }
}
