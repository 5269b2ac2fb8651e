import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let max = OperatorDeclaration(
    "max", "Emits the largest value at completion, in jq's order.",
    dependence: .memory,
    example: OperatorExample("max", in: "2-3-1|", out: "-----(3|)")
  ) { input, context in
    input.folding(context, JSONValue?.none) { most, payload, _ in
      if most.map({ $0 < payload.value }) ?? true { most = payload.value }
    } result: {
      $0
    }
  }
  .alsoKnown(as: "maximum", "largest", "peak")
}
