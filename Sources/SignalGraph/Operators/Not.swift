import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let not = OperatorDeclaration(
    "not", "Turns true into false and false into true.",
    example: OperatorExample("not", in: "t-f|", out: "f-t|")
  ) { input, context in
    input.through { payload, output in
      guard let boolean = payload.value.boolean else { return context.refuse(payload, expected: "a boolean", output) }
      output.send(value: .value(.bool(!boolean)))
    }
  }
}
