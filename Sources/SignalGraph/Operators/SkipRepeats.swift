import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let skipRepeats = OperatorDeclaration(
    "skip_repeats", "Drops a value that equals the one before it.",
    Parameter<GraphExpression?>("by", "compare the outputs of this instead of the values", initial: .some(nil)),
    example: OperatorExample("skip_repeats", in: "1-1-2-1|", out: "1---2-1|")
  ) { input, context, by in
    guard let by else { return input.skipRepeats { $0.isSame(as: $1) } }
    let evaluator = context.evaluator(of: by)
    let previous = context.cell(JSONValue?.none)
    return input.through { payload, output in
      guard let key = evaluator.first(of: payload, refusingTo: output), key != previous.value else { return }
      previous.value = key
      output.send(value: payload)
    }
  }
}
