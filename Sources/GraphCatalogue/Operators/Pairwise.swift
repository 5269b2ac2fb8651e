import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let pairwise = OperatorDeclaration(
    "pairwise", "Emits each value together with the previous one.",
    Parameter<JSONValue?>(
      "initial", "the value before the first one; without it nothing is emitted for the first value",
      initial: .some(nil)),
    dependence: .memory,
    example: OperatorExample("pairwise", in: "1-2-3|", out: "--a-b|", values: "{a: [1, 2], b: [2, 3]}")
  ) { input, context, initial in
    let previous = context.cell(initial.map(Payload.value))
    return input.compactMap { payload in
      defer { previous.value = payload }
      return previous.value.map { .value(.array([$0.value, payload.value])) }
    }
  }
  .alsoKnown(as: "combinePrevious", "previous", "delta", "difference", "derivative", "change")
}
