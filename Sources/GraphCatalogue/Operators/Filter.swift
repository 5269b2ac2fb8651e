import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let filter = OperatorDeclaration.each(
    "filter", "Keeps the values for which an expression is true.",
    Parameter<Predicate>("expression", "a value passes when this is neither false nor null", .only),
    dependence: .event,
    example: OperatorExample("filter: . > 1", in: "1-2-3|", out: "--2-3|"),
    advice: { $0.advice(always: "everything passes", never: "nothing passes") }
  ) { context, expression in
    let evaluator = context.evaluator(of: expression)
    return { payload, output in
      if evaluator.truth(of: payload, refusingTo: output) ?? false { output.send(value: payload) }
    }
  }
  .alsoKnown(as: "where", "ignore", "find", "partition")
}
