import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let scan = OperatorDeclaration.each(
    "scan", "Folds the values and emits every step.",
    Parameter<JSONValue>("initial", "the state before the first value"),
    Parameter<GraphExpression>("next", "the next state, from $state and the value", variables: ["state"]),
    example: OperatorExample("scan: {initial: 0, next: $state + .}", in: "1-2-3|", out: "1-3-6|")
  ) { context, initial, next in
    let evaluator = context.evaluator(of: next)
    let state = context.cell(initial)
    return { payload, output in
      guard let next = evaluator.first(of: payload, state.value, refusingTo: output) else { return }
      state.value = next
      output.send(value: .value(next))
    }
  }
  .alsoKnown(as: "fold", "accumulate", "running total", "state", "state machine", "hysteresis", "counter", "integrate")
}
