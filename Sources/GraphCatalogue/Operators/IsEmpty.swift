import JSON
import Signals

extension OperatorDeclaration {
  static let isEmpty = OperatorDeclaration(
    "is_empty", "Emits false and completes at the first value; otherwise emits true at completion.",
    example: OperatorExample("is_empty", in: "--|", out: "--(t|)")
  ) { input, _ in
    input.deciding { _, _ in
      .value(false)
    } otherwise: {
      .success(.value(true))
    }
  }
}
