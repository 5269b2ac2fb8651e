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
    if let when { return context.retry(input, when: when) }
    if let times, delay == nil, backoff == 1, reset == nil { return input.retry(upTo: times) }
    return input.retry(
      upTo: times ?? .max, interval: delay ?? (backoff > 1 ? .seconds(1) : .zero), backoff: backoff,
      maxInterval: maximum,
      resetAfter: reset, on: context.scheduler())
  }
}

extension OperatorContext {
  /// Asks a signal after each failure; a further try is a turn of its own, so that tries without a pause have a bound.
  fileprivate func retry(_ input: StreamProducer, when reference: SignalReference) -> StreamProducer {
    gated(input, before: [reference]).retry { [self] failures in
      Stream { again, lifetime in
        let asking = SerialDisposable()
        lifetime += asking
        lifetime += failures.observeValues { [self] failure in
          asking.inner = ask(producer(of: reference), after: failure, again)
        }
      }
    }
  }

  private func ask(
    _ answers: StreamProducer, after failure: SignalFailure, _ again: StreamObserver
  ) -> any Disposable {
    var isAnswered = false
    return answers.take(first: 1).start(
      StreamObserver(
        value: { [self] value in
          isAnswered = true
          let chase = turns.enqueue(to: signal.name) { again.send(value: value) }
          guard chase != nil else { return }
          signal.drop(past: "more than \(limits.chain) turns from one cause: retry (limits.chain)", in: operatorName)
          again.send(error: failure)
        },
        ending: { if !isAnswered { again.send($0) } }))
  }
}
