import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let and = OperatorDeclaration.each(
    "and", "Emits true if all booleans of a list or an object are true, otherwise false.",
    dependence: .event,
    example: OperatorExample("and", in: "x-y|", out: "f-t|", values: "{x: [true, false], y: {a: true, b: true}}")
  ) { context in
    { payload, output in
      guard let booleans = payload.value.booleans else { return context.refuse(payload, expected: "booleans", output) }
      output.send(value: .value(.bool(!booleans.contains(false))))
    }
  }
}
