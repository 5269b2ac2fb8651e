import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let mapError = OperatorDeclaration(
    "map_error", "Rewrites the error of a failure.",
    Parameter<GraphExpression>(
      "expression", "the new error for {code, message}: such an object, or a string for the message", .only),
    dependence: .event,
    example: OperatorExample("map_error: '{code: \"lost\", message: .code}'", in: "1-#", out: "1-#")
  ) { input, context, expression in
    let evaluator = context.evaluator(of: expression)
    return input.through(
      value: { $1.send(value: $0) },
      ending: { ending, output in
        guard case .failed(let failure) = ending else { return output.send(ending) }
        let mapped = evaluator.first(of: .value(failure.value), refusingTo: output)
        output.send(error: mapped.map { failure.rewritten($0) } ?? failure)
      })
  }
  .alsoKnown(as: "mapError")
}

extension SignalFailure {
  fileprivate func rewritten(_ value: JSONValue) -> SignalFailure {
    if case .string(let message) = value.plain { return SignalFailure(code: code, message: message) }
    return SignalFailure(value) ?? self
  }
}
