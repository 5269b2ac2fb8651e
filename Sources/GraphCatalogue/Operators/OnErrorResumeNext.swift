import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let onErrorResumeNext = OperatorDeclaration(
    "on_error_resume_next", "Continues with another signal when this one fails or completes.",
    Parameter<SignalReference>("signal", "the signal that follows", .only),
    dependence: .memory,
    example: OperatorExample("on_error_resume_next: {values: [8, 9]}", in: "1-2#", out: "1-2(89|)")
  ) { input, context, other in
    Succession.stream(context, context.gated(input, before: other), then: context.recipe(of: other)) { ending in
      if case .interrupted = ending { false } else { true }
    }
  }
  .alsoKnown(as: "onErrorResumeNext")
}
