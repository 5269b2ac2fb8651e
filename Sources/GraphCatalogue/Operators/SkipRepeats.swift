import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let skipRepeats = OperatorDeclaration.each(
    "skip_repeats",
    "Drops a value equal to the previous one; at the end of a pipe, the initial value of hold precedes the first.",
    Parameter<GraphExpression?>("by", "the outputs to compare, instead of the values", initial: .some(nil)),
    dependence: .memory,
    example: OperatorExample("skip_repeats", in: "1-1-2-1|", out: "1---2-1|")
  ) { context, by in
    let initial = context.valueBefore
    guard let by else {
      let previous = context.cell(initial)
      return { payload, output in
        if let last = previous.value, last.isSame(as: payload) { return }
        previous.value = payload
        output.send(value: payload)
      }
    }
    let evaluator = context.evaluator(of: by)
    let previous = context.cell(initial.flatMap(evaluator.firstIfAny))
    return { payload, output in
      guard let key = evaluator.first(of: payload, refusingTo: output), key != previous.value else { return }
      previous.value = key
      output.send(value: payload)
    }
  }
  .alsoKnown(
    as: "distinct", "distinctUntilChanged", "dedupe", "deduplicate", "changes only", "on change", "uniq", "skipRepeats")
}
