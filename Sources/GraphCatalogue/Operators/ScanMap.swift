import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let scanMap = OperatorDeclaration.each(
    "scan_map", "Folds the values into a state, and emits a separate value at every step.",
    Parameter<JSONValue>("initial", "the state before the first value"),
    Parameter<GraphExpression>(
      "next", "[the next state, the value to emit], from $state and the value", variables: ["state"]),
    example: OperatorExample(
      "scan_map: {initial: 0, next: '[., . - $state]'}", in: "1-4-2|", out: "1-3-x|", values: "{x: -2}")
  ) { context, initial, next in
    let evaluator = context.evaluator(of: next)
    let state = context.cell(initial)
    return { payload, output in
      guard let result = evaluator.first(of: payload, state.value, refusingTo: output) else { return }
      guard case .array(let pair) = result.plain, pair.count == 2 else {
        return context.refuse(.badValue("next must give [state, output]"), value: payload.value, output)
      }
      state.value = pair[0]
      output.send(value: .value(pair[1]))
    }
  }
  .alsoKnown(as: "mealy", "state machine", "hysteresis", "stateful map")
}
