import ReactiveCore

extension OperatorDeclaration {
  static let timeout = OperatorDeclaration(
    "timeout", "Fails with timeout, or goes on with another signal, if something takes too long.",
    Parameter<Duration?>("total", "how long it may take to end", initial: .some(nil)),
    Parameter<Duration?>("first", "how long the first value may take", initial: .some(nil)),
    Parameter<Duration?>("gap", "the longest silence before a value", initial: .some(nil)),
    Parameter<SignalReference?>("fallback", "goes on with this instead of failing", initial: .some(nil)),
    example: OperatorExample("timeout: {gap: 2s}", in: "1-2----", out: "1-2-#"),
    check: { total, first, gap, _ in
      [total, first, gap].count { $0 != nil } == 1 ? nil : "give one of total, first and gap"
    }
  ) { input, context, total, first, gap, fallback in
    let late = SignalFailure(code: "timeout", message: "it took too long")
    let fallback = fallback.map { context.producer(of: $0) } ?? StreamProducer(error: late)
    let scheduler = context.scheduler()
    if let total { return input.timeout(after: total.seconds, fallback: fallback, on: scheduler) }
    if let first { return input.timeout(first: first.seconds, fallback: fallback, on: scheduler) }
    return input.timeout(gap: (gap ?? .zero).seconds, fallback: fallback, on: scheduler)
  }
}
