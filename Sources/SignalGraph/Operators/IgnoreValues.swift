import ReactiveCore

extension OperatorDeclaration {
  static let ignoreValues = OperatorDeclaration(
    "ignore_values", "Drops all values and passes on the ending.",
    example: OperatorExample("ignore_values", in: "1-2|", out: "---|")
  ) { input, _ in
    input.filter { _ in false }
  }
}
