import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let `catch` = OperatorDeclaration(
    "catch", "Continues with another signal when this one fails.",
    Parameter<SignalReference>("signal", "the signal that replaces the failure", .only),
    dependence: .memory,
    example: OperatorExample("catch: {values: [8, 9]}", in: "1-2#", out: "1-2(89|)")
  ) { input, context, other in
    Succession.stream(context, context.gated(input, before: other), then: context.recipe(of: other)) { ending in
      if case .failed = ending { true } else { false }
    }
  }
  .alsoKnown(as: "catchError", "rescue", "flatMapError", "recover")
}
