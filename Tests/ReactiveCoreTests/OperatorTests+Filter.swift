import ReactiveCore
import ReactiveTesting

extension OperatorTests {
  static let filterCases: [MarbleCase] = [
    MarbleCase(
      "filter", "abab|", expecting: "a-a-|", signal: { $0[0].filter { $0 == "a" } },
      producer: { $0[0].filter { $0 == "a" } }),
    MarbleCase(
      "skipRepeats", "aab-ba|", expecting: "a-b--a|", signal: { $0[0].skipRepeats() }, producer: { $0[0].skipRepeats() }
    ),
    MarbleCase(
      "skip(first:)", "ab-cd|", expecting: "---cd|", signal: { $0[0].skip(first: 2) },
      producer: { $0[0].skip(first: 2) }),
    MarbleCase(
      "take(first:)", "ab-cd|", expecting: "ab-(c|)", signal: { $0[0].take(first: 3) },
      producer: { $0[0].take(first: 3) }),
    MarbleCase(
      "take(until:) ends with a value", "ab-cd|", "--x", expecting: "ab|",
      signal: { $0[0].take(until: $0[1].withoutFailure().map(value: ())) },
      producer: { $0[0].take(until: $0[1].withoutFailure().map(value: ())) }),
    MarbleCase(
      "take(until:) ends with a completion", "a-cd|", "-|", expecting: "a|",
      signal: { $0[0].take(until: $0[1].withoutFailure().map(value: ())) },
      producer: { $0[0].take(until: $0[1].withoutFailure().map(value: ())) }),
  ]
}
