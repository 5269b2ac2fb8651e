import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let switchIfEmpty = OperatorDeclaration(
    "switch_if_empty", "Continues with another signal if this one completes without a value.",
    Parameter<SignalReference>("signal", "the signal to continue with", .only),
    dependence: .memory,
    example: OperatorExample("switch_if_empty: {values: [8, 9]}", in: "---|", out: "---(89|)")
  ) { input, context, other in
    let hasCome = context.cell(false)
    let first = context.gated(input, before: other).map { payload in
      hasCome.value = true
      return payload
    }
    return Succession.stream(context, first, then: context.recipe(of: other)) { ending in
      if case .completed = ending { !hasCome.value } else { false }
    }
  }
  .alsoKnown(as: "fallback")
}
