import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let or = OperatorDeclaration.each(
    "or", "Emits true if any boolean of a list or an object is true, otherwise false.",
    dependence: .event,
    example: OperatorExample("or", in: "x-y|", out: "t-f|", values: "{x: [true, false], y: {a: false, b: false}}")
  ) { context in
    { payload, output in
      guard let booleans = payload.value.booleans else { return context.refuse(payload, expected: "booleans", output) }
      output.send(value: .value(.bool(booleans.contains(true))))
    }
  }
}
