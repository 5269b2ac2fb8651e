import ReactiveCore

extension OperatorDeclaration {
  static let timeout = OperatorDeclaration(
    "timeout", "Fails with timeout, or goes on with another signal, when things take too long.",
    Parameter<Duration?>("total", "the time in which it must end", initial: .some(nil)),
    Parameter<Duration?>("first", "the time in which the first value must come", initial: .some(nil)),
    Parameter<Duration?>("gap", "the longest silence before a value", initial: .some(nil)),
    Parameter<SignalReference?>("fallback", "goes on with this instead of failing", initial: .some(nil)),
    example: OperatorExample("timeout: {gap: 2s}", in: "1-2----", out: "1-2-#"),
    check: { total, first, gap, _ in
      [total, first, gap].count { $0 != nil } == 1 ? nil : "give one of total, first and gap"
    }
  ) { input, context, total, first, gap, fallback in
    input.mapError(Lateness.no).limited(total, first, gap, on: context.scheduler()).flatMapError { lateness in
      switch lateness {
      case .no(let failure): StreamProducer(error: failure)
      case .late:
        fallback.map { context.producer(of: $0) }
          ?? StreamProducer(error: SignalFailure(code: "timeout", message: "it took too long"))
      }
    }
  }
}

/// Whether a failure is that of the signal itself, or of its being late.
private enum Lateness: Error {
  case no(SignalFailure)
  case late
}

extension Signal where Failure == Lateness {
  fileprivate func limited(_ total: Duration?, _ first: Duration?, _ gap: Duration?, on scheduler: GraphScheduler)
    -> Signal
  {
    if let total { return timeout(after: total.seconds, raising: .late, on: scheduler) }
    if let first { return timeout(first: first.seconds, raising: .late, on: scheduler) }
    return timeout(gap: (gap ?? .zero).seconds, raising: .late, on: scheduler)
  }
}
