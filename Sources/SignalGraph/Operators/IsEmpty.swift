import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let isEmpty = OperatorDeclaration(
    "is_empty", "Emits false and completes once a value came; at completion true.",
    example: OperatorExample("is_empty", in: "--|", out: "--(t|)")
  ) { input, _ in
    input.deciding { _, _ in
      .value(false)
    } otherwise: {
      .success(.value(true))
    }
  }
}
