import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let all = OperatorDeclaration(
    "all", "Emits false and completes at the first value that does not match; otherwise emits true at completion.",
    Parameter<Predicate>("where", "the condition", .only),
    example: OperatorExample("all: . < 3", in: "1-2-3|", out: "----(f|)")
  ) { input, context, condition in
    let evaluator = context.evaluator(of: condition)
    return input.deciding { payload, output in
      evaluator.truth(of: payload, refusingTo: output) ?? true ? nil : .value(false)
    } otherwise: {
      .success(.value(true))
    }
  }
  .alsoKnown(as: "every")
}
