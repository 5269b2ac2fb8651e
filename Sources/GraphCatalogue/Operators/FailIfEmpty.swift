import GraphModel
import Signals

extension OperatorDeclaration {
  static let failIfEmpty = OperatorDeclaration(
    "fail_if_empty", "Fails with empty if it completes without a value.",
    dependence: .event,
    example: OperatorExample("fail_if_empty", in: "--|", out: "--#")
  ) { input, _ in
    input.failIfEmpty(raising: .empty("completed without a value"))
  }
  .alsoKnown(as: "throwIfEmpty")
}
