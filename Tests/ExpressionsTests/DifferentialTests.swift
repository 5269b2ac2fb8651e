import Glibc
import Testing

@testable import Expressions

/// The number of generated pairs of an expression and a value; `EXPRESSION_PAIRS` in the environment sets it.
private let pairs = getenv("EXPRESSION_PAIRS").flatMap { Int(String(cString: $0)) } ?? 2000
private let pairsPerRun = 200

/// Generated expressions compared with jq itself: Debian's program, which `make test` installs, and the present library
/// where available.
@Suite(.enabled(if: !Reference.installed.isEmpty, "neither jq nor PyPI's jq is installed"))
struct DifferentialTests {
  @Test(arguments: Reference.installed, 0..<(pairs / pairsPerRun))
  func `generated expressions give what jq gives`(reference: Reference, run: Int) throws {
    var generator = Generator(seed: UInt64(run) &* 7919, for: reference)
    let generated = (0..<pairsPerRun).map { _ in generator.pair() }
    let expected = try reference.run(generated)
    for (pair, expected) in zip(generated, expected) {
      let actual = try Reference.Result(pair.expression, pair.input)
      #expect(actual.agrees(with: expected), "\(pair.input) | \(pair.expression)")
    }
  }
}
