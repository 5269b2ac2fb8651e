import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let map = OperatorDeclaration.each(
    "map", "Emits every output of an expression for each value.",
    Parameter<GraphExpression>("expression", "the outputs for a value", .only),
    dependence: .event,
    example: OperatorExample("map: . * 2", in: "1-2|", out: "2-4|")
  ) { context, expression in
    let evaluator = context.evaluator(of: expression)
    return { payload, output in
      evaluator.outputs(of: payload, refusingTo: output) { output.send(value: $0) }
    }
  }
  .alsoKnown(as: "select", "pluck", "transform", "project", "jq", "convert", "reduceEach", "calculate")
}
