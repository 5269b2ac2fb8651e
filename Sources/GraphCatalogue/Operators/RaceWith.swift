import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let race = OperatorDeclaration(
    "race", "Passes on this signal or another, whichever emits or ends first.",
    Parameter<SignalReference>("signal", "the other signal", .only),
    dependence: .memory,
    example: OperatorExample("race: other", in: "--1-2|", others: ["other": "-8---9|"], out: "-8---9|")
  ) { input, context, other in
    context.race([.stream(input), .recipe(context.recipe(of: other))])
  }
  .alsoKnown(as: "amb", "first of")
}
