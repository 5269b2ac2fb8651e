import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let min = OperatorDeclaration(
    "min", "Emits the smallest value at completion, in jq's order.",
    dependence: .memory,
    example: OperatorExample("min", in: "2-1-3|", out: "-----(1|)")
  ) { input, context in
    input.folding(context, JSONValue?.none) { least, payload, _ in
      if least.map({ payload.value < $0 }) ?? true { least = payload.value }
    } result: {
      $0
    }
  }
  .alsoKnown(as: "minimum", "smallest")
}
