import ReactiveCore

extension OperatorDeclaration {
  static let skipLast = OperatorDeclaration(
    "skip_last", "Drops the last values: each is emitted once that many have followed it.",
    Parameter<Int>("count", "how many values", .only),
    example: OperatorExample("skip_last: 1", in: "1-2-3|", out: "--1-2|")
  ) { input, _, count in
    input.skip(last: count)
  }
}
