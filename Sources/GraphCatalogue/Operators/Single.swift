import GraphModel
import Signals

extension OperatorDeclaration {
  static let single = OperatorDeclaration(
    "single", "Emits the only value at completion; fails with empty or too_many if there is not exactly one.",
    example: OperatorExample("single", in: "1--|", out: "---(1|)")
  ) { input, _ in
    input.single(
      ifEmpty: .empty("completed without a value"),
      ifMore: SignalFailure(code: "too_many", message: "more than one value"))
  }
}
