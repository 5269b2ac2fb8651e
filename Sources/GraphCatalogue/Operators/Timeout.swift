import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let timeout = OperatorDeclaration(
    "timeout", "Fails with timeout, or continues with another signal, when a time limit is exceeded.",
    Parameter<Duration?>("total", "the time limit for the whole signal", initial: .some(nil)),
    Parameter<Duration?>("first", "the time limit for the first value", initial: .some(nil)),
    Parameter<Duration?>("gap", "the longest silence before a value", initial: .some(nil)),
    Parameter<SignalReference?>("fallback", "the signal to continue with instead of failing", initial: .some(nil)),
    example: OperatorExample("timeout: {gap: 2s}", in: "1-2----", out: "1-2-#"),
    check: { total, first, gap, _ in
      [total, first, gap].count { $0 != nil } == 1 ? nil : "give exactly one of total, first and gap"
    }
  ) { input, context, total, first, gap, fallback in
    let scheduler = context.scheduler()
    func limited<F>(_ input: Signal<Payload, F>, _ late: F) -> Signal<Payload, F> {
      if let total { return input.timeout(after: total, raising: late, on: scheduler) }
      if let first { return input.timeout(first: first, raising: late, on: scheduler) }
      return input.timeout(gap: gap ?? .zero, raising: late, on: scheduler)
    }
    guard let fallback else { return limited(input, SignalFailure(code: "timeout", message: "timed out")) }
    let timed = limited(input.mapError(Lateness.failed), .late)
    var isLate = false
    // Only a late source is replaced, not one that fails otherwise.
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
  .alsoKnown(as: "deadline", "watchdog", "dead man", "deadman", "heartbeat", "stale", "no data")
}

/// The reason for disposing of a source: its own failure, or lateness.
private enum Lateness: Error {
  case failed(SignalFailure)
  case late
}
