import ReactiveCore
import ReactiveTesting

extension OperatorTests {
  static let transformCases: [MarbleCase] = [
    MarbleCase("map", "ab-c|", expecting: "AB-C|", signal: { $0[0].map(upper) }, producer: { $0[0].map(upper) }),
    MarbleCase(
      "map forwards a failure", "ab-#", expecting: "AB-#", signal: { $0[0].map(upper) }, producer: { $0[0].map(upper) }),
    MarbleCase(
      "map forwards an interruption", "ab-!", expecting: "AB-!", signal: { $0[0].map(upper) },
      producer: { $0[0].map(upper) }),
    MarbleCase(
      "compactMap", "abab|", expecting: "A-A-|", signal: { $0[0].compactMap { $0 == "a" ? "A" : nil } },
      producer: { $0[0].compactMap { $0 == "a" ? "A" : nil } }),
    MarbleCase(
      "scan", "1-23|", expecting: "1-36|",
      signal: { $0[0].scan(0) { $0 + ($1.wholeNumberValue ?? 0) }.map { Character(String($0)) } },
      producer: { $0[0].scan(0) { $0 + ($1.wholeNumberValue ?? 0) }.map { Character(String($0)) } }),
    MarbleCase(
      "scanMap", "1-23|", expecting: "0-13|",
      signal: { $0[0].scanMap(0) { ($0 + ($1.wholeNumberValue ?? 0), Character(String($0))) } },
      producer: { $0[0].scanMap(0) { ($0 + ($1.wholeNumberValue ?? 0), Character(String($0))) } }),
    MarbleCase(
      "materialize", "a-#", expecting: "v-(f|)",
      signal: { $0[0].materialize().map { $0.isTerminating ? "f" : "v" }.failing() },
      producer: { $0[0].materialize().map { $0.isTerminating ? "f" : "v" }.failing() }),
  ]
}
