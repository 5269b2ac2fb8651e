import ReactiveCore
import ReactiveTesting

extension OperatorTests {
  /// Operators that replace an ending, or add a beginning.
  static let successionCases: [MarbleCase] = concatCases + errorCases + restartCases

  private static let concatCases: [MarbleCase] = [
    MarbleCase(
      "concat", "ab|", expecting: "abx-y|", signal: { $0[0].concat($0.cold("x-y|")) },
      producer: { $0[0].concat($0.cold("x-y|")) }),
    MarbleCase(
      "concat after a failure", "a#", expecting: "a#", signal: { $0[0].concat($0.cold("x|")) },
      producer: { $0[0].concat($0.cold("x|")) }),
    MarbleCase(
      "concat of many", "a-|", "-x---y|", expecting: "a-x--y|", signal: { .concat($0.all) },
      producer: { .concat([$0[0], $0.cold("x--y|")]) }),
    MarbleCase(
      "concat(value:)", "a-|", expecting: "a-(x|)", signal: { $0[0].concat(value: "x") },
      producer: { $0[0].concat(value: "x") }),
    MarbleCase(
      "concat(error:)", "a-|", expecting: "a-#", signal: { $0[0].concat(error: MarbleFailure()) },
      producer: { $0[0].concat(error: MarbleFailure()) }),
    MarbleCase("prefix(value:)", "a-|", expecting: "(xa)-|", producer: { $0[0].prefix(value: "x") }),
    MarbleCase("prefix(values:)", "a-|", expecting: "(xya)-|", producer: { $0[0].prefix(values: ["x", "y"]) }),
    MarbleCase("prefix", "a-|", expecting: "x-a-|", producer: { $0[0].prefix($0.cold("x-|")) }),
    MarbleCase("then", "ab|", expecting: "--x|", producer: { $0[0].then($0.cold("x|")) }),
    MarbleCase("then after a failure", "ab#", expecting: "--#", producer: { $0[0].then($0.cold("x|")) }),
    MarbleCase(
      "switchIfEmpty", "--|", expecting: "--x-|", signal: { $0[0].switchIfEmpty($0.cold("x-|")) },
      producer: { $0[0].switchIfEmpty($0.cold("x-|")) }),
    MarbleCase(
      "switchIfEmpty of something", "a-|", expecting: "a-|", signal: { $0[0].switchIfEmpty($0.cold("x-|")) },
      producer: { $0[0].switchIfEmpty($0.cold("x-|")) }),
    MarbleCase(
      "switchIfEmpty of a failure", "--#", expecting: "--#", signal: { $0[0].switchIfEmpty($0.cold("x-|")) },
      producer: { $0[0].switchIfEmpty($0.cold("x-|")) }),
    MarbleCase("delayStart", "ab|", expecting: "--ab|", producer: { $0[0].delayStart(2, on: $0.scheduler) }),
    MarbleCase("deferred", "ab|", expecting: "ab|", producer: { inputs in .deferred { inputs[0] } }),
  ]

  private static let errorCases: [MarbleCase] = [
    MarbleCase(
      "flatMapError", "ab#", expecting: "abx-y|",
      signal: { inputs in inputs[0].flatMapError { _ in inputs.cold("x-y|") } },
      producer: { inputs in inputs[0].flatMapError { _ in inputs.cold("x-y|") } }),
    MarbleCase(
      "flatMapError without a failure", "ab|", expecting: "ab|",
      signal: { inputs in inputs[0].flatMapError { _ in inputs.cold("x-y|") } },
      producer: { inputs in inputs[0].flatMapError { _ in inputs.cold("x-y|") } }),
    MarbleCase(
      "flatMapError that fails too", "ab#", expecting: "ab-#",
      signal: { inputs in inputs[0].flatMapError { _ in inputs.cold("-#") } },
      producer: { inputs in inputs[0].flatMapError { _ in inputs.cold("-#") } }),
    MarbleCase(
      "catchTo", "a#", expecting: "ax|", signal: { $0[0].catchTo($0.cold("x|")) },
      producer: { $0[0].catchTo($0.cold("x|")) }),
    MarbleCase(
      "catchAndReturn", "a-#", expecting: "a-(x|)", signal: { $0[0].catchAndReturn("x").promoteError() },
      producer: { $0[0].catchAndReturn("x").promoteError() }),
    MarbleCase(
      "onErrorResumeNext after a failure", "a-#", expecting: "a-x|", signal: { $0[0].onErrorResumeNext($0.cold("x|")) },
      producer: { $0[0].onErrorResumeNext($0.cold("x|")) }),
    MarbleCase(
      "onErrorResumeNext after a completion", "a-|", expecting: "a-x|",
      signal: { $0[0].onErrorResumeNext($0.cold("x|")) }, producer: { $0[0].onErrorResumeNext($0.cold("x|")) }),
    MarbleCase(
      "onErrorResumeNext after an interruption", "a-!", expecting: "a-!",
      signal: { $0[0].onErrorResumeNext($0.cold("x|")) }, producer: { $0[0].onErrorResumeNext($0.cold("x|")) }),
  ]

  private static let restartCases: [MarbleCase] = [
    MarbleCase("retry(upTo:)", "a#", expecting: "aa#", producer: { $0[0].retry(upTo: 1) }),
    MarbleCase("retry(upTo:) without a failure", "a|", expecting: "a|", producer: { $0[0].retry(upTo: 1) }),
    MarbleCase("retry", "a#", expecting: "aa(a|)", producer: { $0[0].retry().take(first: 3) }),
    MarbleCase(
      "retry(upTo:interval:)", "a#", expecting: "a--a#",
      producer: { $0[0].retry(upTo: 1, interval: 2, on: $0.scheduler) }),
    MarbleCase(
      "retry with longer and longer pauses", "a#", expecting: "a-a--a----a#",
      producer: { $0[0].retry(upTo: 3, interval: .seconds(1), backoff: 2, on: $0.scheduler) }),
    MarbleCase(
      "retry with pauses up to a limit", "a#", expecting: "a-a--a--a#",
      producer: { $0[0].retry(upTo: 3, interval: .seconds(1), backoff: 2, maxInterval: .seconds(2), on: $0.scheduler) }),
    MarbleCase(
      "retry resets after a long try", "a--#", expecting: "a---a---(a|)",
      producer: {
        $0[0].retry(upTo: 1, interval: .seconds(1), resetAfter: .seconds(3), on: $0.scheduler).take(first: 3)
      }),
    MarbleCase(
      "retry(when:)", "a#", expecting: "a-a-(a|)",
      producer: { inputs in
        inputs[0].retry { $0.promoteError().delay(1, on: inputs.scheduler) }.take(first: 3)
      }),
    MarbleCase(
      "retry(when:) ends with what decides", "a#", expecting: "aa|",
      producer: { $0[0].retry { $0.promoteError().skip(first: 0).take(first: 2).map { _ in } } }),
    MarbleCase("repeat", "a-|", expecting: "a-a-|", producer: { $0[0].repeat(2) }),
    MarbleCase("repeat for ever", "a|", expecting: "aa(a|)", producer: { $0[0].repeat().take(first: 3) }),
    MarbleCase("repeat ends with a failure", "a#", expecting: "a#", producer: { $0[0].repeat(2) }),
    MarbleCase("times", "a-|", expecting: "a-a-|", producer: { $0[0].times(2) }),
    MarbleCase(
      "repeat with pauses", "a|", expecting: "a--a|",
      producer: { $0[0].repeat(2, interval: .seconds(2), on: $0.scheduler) }),
    MarbleCase(
      "repeat(when:)", "a|", expecting: "a-a-(a|)",
      producer: { inputs in inputs[0].repeat { $0.promoteError().delay(1, on: inputs.scheduler) }.take(first: 3) }),
  ]
}
