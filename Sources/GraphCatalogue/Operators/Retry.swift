import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let retry = OperatorDeclaration.starting(
    "retry", "Restarts the source when it fails.",
    Parameter<Int?>("times", "the number of retries; unlimited by default", .plain, initial: .some(nil)),
    Parameter<Duration?>("delay", "the delay before each retry; 1s with a backoff", initial: .some(nil)),
    Parameter<Double>("backoff", "the growth factor of the delay", initial: 1),
    Parameter<Duration?>("max_delay", "the longest delay", initial: .some(nil), shortest: .milliseconds(1)),
    Parameter<Duration?>(
      "reset_after", "a run of this length resets the count and the delay", initial: .some(nil),
      shortest: .milliseconds(1)),
    Parameter<Bool>("reset_on_value", "the first value of a run resets the count and the delay", initial: false),
    Parameter<SignalReference?>(
      "when", "a signal started at a failure: retry when it emits, end as it does if it ends first", initial: .some(nil)
    ),
    repeatedly: true,
    dependence: .memory,
    example: OperatorExample("retry: {times: 1, delay: 2s}", in: "1-#", isCold: true, out: "1---1-#"),
    check: { times, delay, backoff, maximum, reset, resetsOnValue, when in
      if when != nil {
        return times == nil && delay == nil && backoff == 1 && maximum == nil && reset == nil && !resetsOnValue
          ? nil : "when excludes all other parameters"
      }
      if !(1..<Double.infinity ~= backoff) { return "backoff must be 1 or more" }
      if times == nil, delay == nil, backoff == 1 { return "delay or backoff is required without times" }
      if resetsOnValue, (delay ?? (backoff > 1 ? .seconds(1) : .zero)) < .milliseconds(1) {
        return "with reset_on_value the delay must be 1ms or more"
      }
      return times == nil && (delay ?? .seconds(1)) < .milliseconds(1)
        ? "without times the delay must be 1ms or more" : nil
    }
  ) { input, context, times, delay, backoff, maximum, reset, resetsOnValue, when in
    let failures = FailureRule(context, times, delay, backoff, maximum, reset)
    let asked = when.map { context.recipe(of: $0) }
    let input = when.map { context.gated(input, before: [$0]) } ?? input
    return Stream { output, lifetime in
      let succession = Succession(context, output, lifetime) { _ in
        input
      } verdict: { _, ending in
        guard case .failed = ending else { return .end(ending) }
        return asked.map { .ask($0) } ?? failures.verdict(on: ending)
      }
      if resetsOnValue { succession.onValue = { failures.reset() } }
      succession.begin()
    }
  }
  .alsoKnown(as: "backoff", "try again", "reconnect")
}

/// The decision after a failure: retry at once, retry after a delay, or fail.
private struct FailureRule {
  private let progress: RetryProgress
  /// True when retries have no delay at all.
  private let isImmediate: Bool

  init(
    _ context: OperatorContext, _ times: Int?, _ delay: Duration?, _ backoff: Double, _ maximum: Duration?,
    _ reset: Duration?
  ) {
    isImmediate = times != nil && delay == nil && backoff == 1 && reset == nil
    progress = RetryProgress(
      RetryPolicy(
        upTo: times ?? .max, interval: delay ?? (backoff > 1 ? .seconds(1) : .zero), backoff: backoff,
        maxInterval: maximum, resetAfter: reset, on: context.scheduler()))
  }

  func reset() { progress.reset() }

  func verdict(on failure: Ending<SignalFailure>) -> Succession.Verdict {
    guard let pause = progress.pauseAfterFailure() else { return .end(failure) }
    return isImmediate ? .next : .later(pause)
  }
}
