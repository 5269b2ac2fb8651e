import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let and = OperatorDeclaration.each(
    "and", "Emits whether all booleans of a list or an object are true, as combine gives them.",
    example: OperatorExample("and", in: "x-y|", out: "f-t|", values: "{x: [true, false], y: {a: true, b: true}}")
  ) { context in
    { payload, output in
      guard let booleans = payload.value.booleans else { return context.refuse(payload, expected: "booleans", output) }
      output.send(value: .value(.bool(!booleans.contains(false))))
    }
  }
}
