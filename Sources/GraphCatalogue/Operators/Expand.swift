import Base
import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let expand = OperatorDeclaration.each(
    "expand", "Emits each value, the outputs of an expression for it, and recursively the outputs for those.",
    Parameter<GraphExpression>("next", "the outputs for a value: none, one or many"),
    Parameter<Int>("limit", "the maximum number of values from one, itself included", minimum: 1),
    dependence: .memory,
    example: OperatorExample("expand: {next: 'select(. < 4) | . * 2', limit: 100}", in: "1--3|", out: "(124)--(36)|")
  ) { context, next, limit in
    let evaluator = context.evaluator(of: next)
    return { payload, output in
      var queue = FirstInFirstOut<Payload>()
      queue.append(payload)
      var made = 1
      while let value = queue.popFirst() {
        output.send(value: value)
        evaluator.outputs(of: value, refusingTo: output) { next in
          made += 1
          if made <= limit { queue.append(next) } else { context.dropOne(past: limit, "values of one") }
        }
      }
    }
  }
  .alsoKnown(as: "recursive", "recurse")
}
