import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let defaultIfEmpty = OperatorDeclaration(
    "default_if_empty", "Emits a value at completion if there was none.",
    Parameter<JSONValue>("value", "the value to emit", .only),
    dependence: .event,
    example: OperatorExample("default_if_empty: 7", in: "--|", out: "--(7|)")
  ) { input, _, value in
    input.defaultIfEmpty(.value(value))
  }
  .alsoKnown(as: "defaultIfEmpty", "fallback")
}
