import GraphModel
import Signals

extension OperatorDeclaration {
  static let takeLast = OperatorDeclaration(
    "take_last", "Emits the last values at completion.",
    Parameter<Int>("count", "the number of values", .only),
    dependence: .memory,
    example: OperatorExample("take_last: 2", in: "1-2-3|", out: "-----(23|)")
  ) { input, _, count in
    input.take(last: count)
  }
  .alsoKnown(as: "last n")
}
