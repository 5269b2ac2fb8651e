import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let takeUntil = OperatorDeclaration(
    "take_until", "Passes values on until an expression is true for one, or another signal emits or completes.",
    Parameter<Predicate?>(
      "where", "end at the first value for which this is true, which is dropped", initial: .some(nil)),
    Parameter<SignalReference?>("signal", "end at its first value or its completion", initial: .some(nil)),
    dependence: .event,
    example: OperatorExample("take_until: {signal: stop}", in: "1-2-3|", others: ["stop": "---t--"], out: "1-2|"),
    check: { condition, signal in (condition == nil) == (signal == nil) ? "give exactly one of where and signal" : nil }
  ) { input, context, condition, signal in
    if let condition {
      let evaluator = context.evaluator(of: condition)
      return input.through { payload, output in
        guard let isLast = evaluator.truth(of: payload, refusingTo: output) else { return }
        if isLast { output.sendCompleted() } else { output.send(value: payload) }
      }
    }
    guard let signal else { return input }
    return context.join([RestartableInput(input), context.input(of: signal)]) { inbox, output in
      if inbox[1].contains(where: { $0.isOpening }) { return output.sendCompleted() }
      output.forwardError(of: inbox[1])
      for event in inbox[0] { output.send(event) }
    }
  }
  .alsoKnown(as: "takeUntil", "stop when")
}

extension Event {
  /// True for an event that releases what waits for this signal: a value or the completion.
  var isOpening: Bool {
    switch self {
    case .value, .completed: true
    case .failed, .interrupted: false
    }
  }
}
