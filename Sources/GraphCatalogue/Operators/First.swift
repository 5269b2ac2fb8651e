import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let first = OperatorDeclaration(
    "first", "Emits the first value, or the first for which an expression is true, and completes.",
    Parameter<Predicate?>("where", "the condition for the value to wait for", .only, initial: .some(nil)),
    dependence: .event,
    example: OperatorExample("first: . > 1", in: "1-2-3|", out: "--(2|)")
  ) { input, context, condition in
    let evaluator = condition.map { context.evaluator(of: $0) }
    return input.deciding { payload, output in
      guard let evaluator else { return payload }
      return evaluator.truth(of: payload, refusingTo: output) ?? false ? payload : nil
    } otherwise: {
      .success(nil)
    }
  }
}
