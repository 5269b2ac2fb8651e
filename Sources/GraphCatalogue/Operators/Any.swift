import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let any = OperatorDeclaration(
    "any", "Emits true and completes at the first value, or the first match; otherwise emits false at completion.",
    Parameter<Predicate?>("where", "the condition", .only, initial: .some(nil)),
    example: OperatorExample("any: . > 1", in: "1-2-3|", out: "--(t|)")
  ) { input, context, condition in
    let evaluator = condition.map { context.evaluator(of: $0) }
    return input.deciding { payload, output in
      guard let evaluator else { return .value(true) }
      return evaluator.truth(of: payload, refusingTo: output) ?? false ? .value(true) : nil
    } otherwise: {
      .success(.value(false))
    }
  }
  .alsoKnown(as: "some", "contains")
}
