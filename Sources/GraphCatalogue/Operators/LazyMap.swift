import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let lazyMap = OperatorDeclaration(
    "lazy_map", "Maps only the last value of each turn, and drops the others.",
    Parameter<GraphExpression>("expression", "the outputs for the last value", .only),
    dependence: .event,
    example: OperatorExample("lazy_map: . * 2", in: "1-2|", out: "2-4|")
  ) { input, context, expression in
    let evaluator = context.evaluator(of: expression)
    return context.join([RestartableInput(input)]) { inbox, output in
      if let last = inbox[0].last(where: { $0.value != nil })?.value {
        evaluator.outputs(of: last, refusingTo: output) { output.send(value: $0) }
      }
      output.forwardEnding(of: inbox[0])
    }
  }
  .alsoKnown(as: "map latest")
}
