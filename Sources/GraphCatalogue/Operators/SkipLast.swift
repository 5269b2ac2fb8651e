import GraphModel
import Signals

extension OperatorDeclaration {
  static let skipLast = OperatorDeclaration(
    "skip_last", "Drops the last values: each value is emitted once that many have followed.",
    Parameter<Int>("count", "the number of values", .only),
    dependence: .memory,
    example: OperatorExample("skip_last: 1", in: "1-2-3|", out: "--1-2|")
  ) { input, _, count in
    input.skip(last: count)
  }
}
