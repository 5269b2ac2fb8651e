import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let startWith = OperatorDeclaration(
    "start_with", "Emits given values first.",
    Parameter<[JSONValue]>("values", "the values to emit at the start", .only),
    dependence: .event,
    example: OperatorExample("start_with: [7]", in: "-1-2|", out: "71-2|")
  ) { input, context, values in
    context.prefix(input, values.map { .value($0) })
  }
  .alsoKnown(as: "prefix", "startWith", "prepend", "initial")
}
