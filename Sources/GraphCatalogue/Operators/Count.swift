import JSON
import Signals

extension OperatorDeclaration {
  static let count = OperatorDeclaration(
    "count", "Emits the number of values at completion.",
    example: OperatorExample("count", in: "a-b|", out: "---(2|)")
  ) { input, context in
    input.folding(context, 0.0) { count, _, _ in
      count += 1
    } result: {
      .number($0)
    }
  }
  .alsoKnown(as: "length", "number of values")
}
