import GraphEngine
import GraphModel
import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let skipRepeats = OperatorDeclaration(
    "skip_repeats",
    "Drops a value equal to the previous one; at the end of a pipe, the initial value of hold precedes the first.",
    Parameter<GraphExpression?>("by", "the outputs to compare, instead of the values", initial: .some(nil)),
    dependence: .memory,
    example: OperatorExample("skip_repeats", in: "1-1-2-1|", out: "1---2-1|")
  ) { input, context, by in
    let initial = context.valueBefore
    guard let by else { return input.skipRepeats(after: initial) { $0.isSame(as: $1) } }
    let evaluator = context.evaluator(of: by)
    let previous = context.cell(initial.flatMap(evaluator.firstIfAny))
    return input.through { payload, output in
      guard let key = evaluator.first(of: payload, refusingTo: output), key != previous.value else { return }
      previous.value = key
      output.send(value: payload)
    }
  }
  .alsoKnown(
    as: "distinct", "distinctUntilChanged", "dedupe", "deduplicate", "changes only", "on change", "uniq", "skipRepeats")
}
