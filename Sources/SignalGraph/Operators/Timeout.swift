import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let timeout = OperatorDeclaration(
    "timeout", "Fails with timeout, or goes on with another signal, if something takes too long.",
    Parameter<Duration?>("total", "how long it may take to end", initial: .some(nil)),
    Parameter<Duration?>("first", "how long the first value may take", initial: .some(nil)),
    Parameter<Duration?>("gap", "the longest silence before a value", initial: .some(nil)),
    Parameter<SignalReference?>("fallback", "the signal to go on with instead of failing", initial: .some(nil)),
    example: OperatorExample("timeout: {gap: 2s}", in: "1-2----", out: "1-2-#"),
    check: { total, first, gap, _ in
      [total, first, gap].count { $0 != nil } == 1 ? nil : "give one of total, first and gap"
    }
  ) { input, context, total, first, gap, fallback in
    let scheduler = context.scheduler()
    func limited<F>(_ input: Signal<Payload, F>, _ late: F) -> Signal<Payload, F> {
      if let total { return input.timeout(after: total, raising: late, on: scheduler) }
      if let first { return input.timeout(first: first, raising: late, on: scheduler) }
      return input.timeout(gap: gap ?? .zero, raising: late, on: scheduler)
    }
    guard let fallback else { return limited(input, SignalFailure(code: "timeout", message: "it took too long")) }
    let timed = limited(input.mapError(Lateness.failed), .late)
    var isLate = false
    // Only what comes too late is followed by another signal, whatever else the input fails with.
    let marked: Stream = timed.through(
      value: { $1.send(value: $0) },
      ending: { ending, output in
        switch ending {
        case .failed(.late):
          isLate = true
          output.sendCompleted()
        case .failed(.failed(let failure)): output.send(error: failure)
        case .completed: output.sendCompleted()
        case .interrupted: output.sendInterrupted()
        }
      })
    return Succession.stream(context, marked, then: context.recipe(of: fallback)) { _ in isLate }
  }
}

/// Why a source is left: because of its own failure, or because it took too long.
private enum Lateness: Error {
  case failed(SignalFailure)
  case late
}
