import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let check = OperatorDeclaration.each(
    "check", "Fails the signal on a value for which an expression fails or is false.",
    Parameter<Predicate>("expression", "a value passes when this is neither false nor null", .only),
    dependence: .event,
    example: OperatorExample("check: . < 3", in: "1-2-3-4|", out: "1-2-#")
  ) { context, expression in
    let source = expression.expression.source
    let evaluator = context.evaluator(of: expression)
    return { payload, output in
      do throws(SignalFailure) {
        if try evaluator.isTrue(payload) { return output.send(value: payload) }
        output.send(error: SignalFailure(code: "check", message: "the value does not pass: \(source)"))
      } catch {
        output.send(error: SignalFailure(code: "check", message: error.message))
      }
    }
  }
  .alsoKnown(as: "try", "attempt", "assert", "validate", "guard")
}
