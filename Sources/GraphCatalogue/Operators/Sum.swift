import Expressions
import JSON
import Signals

extension OperatorDeclaration {
  static let sum = OperatorDeclaration(
    "sum", "Emits the sum of the numbers at completion.",
    example: OperatorExample("sum", in: "1-2-3|", out: "-----(6|)")
  ) { input, context in
    input.folding(context, 0.0) { sum, payload, output in
      guard let number = payload.value.asNumber else { return context.refuse(payload, expected: "numbers", output) }
      sum += number
    } result: {
      .number($0)
    }
  }
  .alsoKnown(as: "total", "add")
}
