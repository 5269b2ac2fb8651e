import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let not = OperatorDeclaration.each(
    "not", "Turns true into false and false into true.",
    dependence: .event,
    example: OperatorExample("not", in: "t-f|", out: "f-t|")
  ) { context in
    { payload, output in
      guard let boolean = payload.value.boolean else { return context.refuse(payload, expected: "a boolean", output) }
      output.send(value: .value(.bool(!boolean)))
    }
  }
}
