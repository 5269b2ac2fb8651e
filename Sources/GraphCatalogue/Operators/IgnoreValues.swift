import GraphModel
import Signals

extension OperatorDeclaration {
  static let ignoreValues = OperatorDeclaration(
    "ignore_values", "Drops all values; only the ending passes.",
    dependence: .event,
    example: OperatorExample("ignore_values", in: "1-2|", out: "---|")
  ) { input, _ in
    input.filter { _ in false }
  }
  .alsoKnown(as: "ignoreElements", "ignoreValues")
}
