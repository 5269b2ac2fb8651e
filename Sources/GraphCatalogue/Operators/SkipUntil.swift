import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let skipUntil = OperatorDeclaration(
    "skip_until", "Drops values until an expression is true for one, or another signal emits or completes.",
    Parameter<Predicate?>(
      "where", "open at the first value for which this is true, which passes", initial: .some(nil)),
    Parameter<SignalReference?>("signal", "open at its first value or its completion", initial: .some(nil)),
    dependence: .memory,
    example: OperatorExample("skip_until: {signal: go}", in: "1-2-3|", others: ["go": "---t--"], out: "----3|"),
    check: { condition, signal in (condition == nil) == (signal == nil) ? "give exactly one of where and signal" : nil }
  ) { input, context, condition, signal in
    let isOpen = context.cell(false)
    if let condition {
      let evaluator = context.evaluator(of: condition)
      return input.through { payload, output in
        isOpen.value = isOpen.value || evaluator.truth(of: payload, refusingTo: output) ?? false
        if isOpen.value { output.send(value: payload) }
      }
    }
    guard let signal else { return input }
    return context.join([RestartableInput(input), context.input(of: signal)]) { inbox, output in
      isOpen.value = isOpen.value || inbox[1].contains { $0.isOpening }
      output.forwardError(of: inbox[1])
      for event in inbox[0] where isOpen.value || event.isTerminating { output.send(event) }
    }
  }
  .alsoKnown(as: "start when")
}
