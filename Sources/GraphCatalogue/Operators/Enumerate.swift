import GraphEngine
import JSON
import Signals

extension OperatorDeclaration {
  static let enumerate = OperatorDeclaration(
    "enumerate", "Emits each value with its index, counted from 0.",
    example: OperatorExample("enumerate", in: "a-b|", out: "x-y|", values: "{x: [0, a], y: [1, b]}")
  ) { input, context in
    let count = context.cell(0.0)
    return input.map { payload in
      defer { count.value += 1 }
      return .value(.array([.number(count.value), payload.value]))
    }
  }
  .alsoKnown(as: "index", "number", "zip with index")
}
