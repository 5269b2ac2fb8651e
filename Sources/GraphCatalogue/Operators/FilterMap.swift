import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let filterMap = OperatorDeclaration.each(
    "filter_map", "Emits every output of an expression that is not null.",
    Parameter<GraphExpression>("expression", "the outputs for a value; null is dropped", .only),
    dependence: .event,
    example: OperatorExample("filter_map: if . > 1 then . * 2 else null end", in: "1-2|", out: "--4|")
  ) { context, expression in
    let evaluator = context.evaluator(of: expression)
    return { payload, output in
      evaluator.outputs(of: payload, refusingTo: output) { made in
        if case .value(.null) = made { return }
        output.send(value: made)
      }
    }
  }
  .alsoKnown(as: "compactMap", "skipNil", "map and filter", "filterMap")
}
