import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let retry = OperatorDeclaration.starting(
    "retry", "Starts the source again when it fails.",
    Parameter<Int?>("times", "how many more tries; no limit if it is left out", .plain, initial: .some(nil)),
    Parameter<Duration?>("delay", "wait this long before each try; 1s if there is a backoff", initial: .some(nil)),
    Parameter<Double>("backoff", "the factor by which the delay grows each time", initial: 1),
    Parameter<Duration?>("max_delay", "the longest delay", initial: .some(nil)),
    Parameter<Duration?>(
      "reset_after", "a try that goes on for this long makes the count and the delay begin anew", initial: .some(nil)),
    Parameter<SignalReference?>(
      "when", "started at a failure: try again when it emits, end as it does if it ends before", initial: .some(nil)),
    repeatedly: true,
    example: OperatorExample("retry: {times: 1, delay: 2s}", in: "1-#", isCold: true, out: "1---1-#"),
    check: { times, delay, backoff, maximum, reset, when in
      if when != nil {
        return times == nil && delay == nil && backoff == 1 && maximum == nil && reset == nil
          ? nil : "when stands alone"
      }
      if !(1..<Double.infinity ~= backoff) { return "backoff is 1 or more" }
      if let maximum, maximum < .milliseconds(1) { return "max_delay is 1ms or more" }
      if let reset, reset < .milliseconds(1) { return "reset_after is 1ms or more" }
      if times == nil, delay == nil, backoff == 1 { return "without times it needs delay or backoff" }
      return times == nil && (delay ?? .seconds(1)) < .milliseconds(1) ? "without times the delay is 1ms or more" : nil
    }
  ) { input, context, times, delay, backoff, maximum, reset, when in
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
      succession.begin()
    }
  }
}

/// The sequel to a failure: another try at once, one after a pause, or the end.
private struct FailureRule {
  private let progress: RetryProgress
  /// Whether tries are without a pause, however small.
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

  func verdict(on failure: Ending<SignalFailure>) -> Succession.Verdict {
    guard let pause = progress.pauseAfterFailure() else { return .end(failure) }
    return isImmediate ? .next : .later(pause)
  }
}
