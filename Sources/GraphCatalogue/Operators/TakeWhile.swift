import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let takeWhile = OperatorDeclaration.each(
    "take_while", "Passes values on as long as an expression is true, then completes.",
    Parameter<Predicate>("where", "the condition", .plain),
    Parameter<Bool>("inclusive", "pass on the value that ends it", initial: false),
    dependence: .event,
    example: OperatorExample("take_while: . < 3", in: "1-2-3-1|", out: "1-2-|")
  ) { context, condition, inclusive in
    let evaluator = context.evaluator(of: condition)
    return { payload, output in
      guard let isTaken = evaluator.truth(of: payload, refusingTo: output) else { return }
      if isTaken || inclusive { output.send(value: payload) }
      if !isTaken { output.sendCompleted() }
    }
  }
  .alsoKnown(as: "takeWhile")
}
