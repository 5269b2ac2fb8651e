import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let then = OperatorDeclaration(
    "then", "Drops all values, and continues with another signal at completion.",
    Parameter<SignalReference>("signal", "the signal that follows", .only),
    dependence: .memory,
    example: OperatorExample("then: {values: [8, 9]}", in: "1-2|", out: "---(89|)")
  ) { input, context, other in
    let first = context.gated(input, before: other).filter { _ in false }
    return Succession.stream(context, first, then: context.recipe(of: other)) { ending in
      if case .completed = ending { true } else { false }
    }
  }
  .alsoKnown(as: "andThen")
}
