import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let skipWhile = OperatorDeclaration.each(
    "skip_while", "Drops values as long as an expression is true.",
    Parameter<Predicate>("where", "the condition", .plain),
    Parameter<Bool>("inclusive", "also drop the value that ends it", initial: false),
    dependence: .memory,
    example: OperatorExample("skip_while: . < 3", in: "1-2-3-1|", out: "----3-1|")
  ) { context, condition, inclusive in
    let evaluator = context.evaluator(of: condition)
    let isOpen = context.cell(false)
    return { payload, output in
      if isOpen.value { return output.send(value: payload) }
      guard let isSkipped = evaluator.truth(of: payload, refusingTo: output), !isSkipped else { return }
      isOpen.value = true
      if !inclusive { output.send(value: payload) }
    }
  }
  .alsoKnown(as: "drop while", "dropWhile")
}
