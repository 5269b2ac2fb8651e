import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let reduce = OperatorDeclaration(
    "reduce", "Folds the values and emits the result at completion.",
    Parameter<JSONValue>("initial", "the state before the first value"),
    Parameter<GraphExpression>("next", "the next state, from $state and the value", variables: ["state"]),
    example: OperatorExample("reduce: {initial: 0, next: $state + .}", in: "1-2-3|", out: "-----(6|)")
  ) { input, context, initial, next in
    let evaluator = context.evaluator(of: next)
    return input.folding(context, initial) { state, payload, output in
      if let next = evaluator.first(of: payload, state, refusingTo: output) { state = next }
    } result: {
      $0
    }
  }
  .alsoKnown(as: "fold", "aggregate", "inject")
}
