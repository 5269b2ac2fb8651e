import GraphModel
import Signals

extension OperatorDeclaration {
  static let skip = OperatorDeclaration(
    "skip", "Drops the first values.",
    Parameter<Int>("count", "the number of values", .only, maximum: .max),
    example: OperatorExample("skip: 2", in: "1-2-3|", out: "----3|")
  ) { input, _, count in
    input.skip(first: count)
  }
  .alsoKnown(as: "drop", "offset")
}
