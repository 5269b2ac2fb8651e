import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let takeUntil = OperatorDeclaration(
    "take_until", "Passes values on until an expression is true for one, or another signal emits or completes.",
    Parameter<Predicate?>(
      "where", "ends it at the first value for which it is true, which is left out", initial: .some(nil)),
    Parameter<SignalReference?>("signal", "its first value or its completion ends this one", initial: .some(nil)),
    example: OperatorExample("take_until: {signal: stop}", in: "1-2-3|", others: ["stop": "---t--"], out: "1-2|"),
    check: { condition, signal in (condition == nil) == (signal == nil) ? "give either where or signal" : nil }
  ) { input, context, condition, signal in
    if let condition {
      let evaluator = context.evaluator(of: condition)
      return input.through { payload, output in
        if evaluator.isTrue(payload, refusingTo: output) { return output.sendCompleted() }
        output.send(value: payload)
      }
    }
    guard let signal else { return input }
    return context.join([RenewableInput(input), context.input(of: signal)]) { inbox, output in
      if inbox[1].contains(where: { $0.isOpening }) { return output.sendCompleted() }
      output.forwardError(of: inbox[1])
      for event in inbox[0] { output.send(event) }
    }
  }
}

extension Event {
  /// Whether it opens or ends what waits for a signal: a value, or the completion.
  var isOpening: Bool {
    switch self {
    case .value, .completed: true
    case .failed, .interrupted: false
    }
  }
}
