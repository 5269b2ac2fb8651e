import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let endWith = OperatorDeclaration(
    "end_with", "Emits given values at completion.",
    Parameter<[JSONValue]>("values", "the values to emit at the end", .only),
    dependence: .event,
    example: OperatorExample("end_with: [7, 8]", in: "1-|", out: "1-(78|)")
  ) { input, _, values in
    input.through(
      value: { $1.send(value: $0) },
      ending: { ending, output in
        if case .completed = ending {
          for value in values { output.send(value: .value(value)) }
        }
        output.send(ending)
      })
  }
  .alsoKnown(as: "append", "endWith")
}
