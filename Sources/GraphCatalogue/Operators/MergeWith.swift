import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let merge = OperatorDeclaration(
    "merge", "Passes on the values of another signal too.",
    Parameter<SignalReference>("signal", "the other signal", .only),
    dependence: .event,
    example: OperatorExample("merge: other", in: "1-2--|", others: ["other": "-8-9|"], out: "18(2)9-|")
  ) { input, context, other in
    context.merge([context.input(input), context.input(of: other)])
  }
  .alsoKnown(as: "union", "join", "fan in")
}
