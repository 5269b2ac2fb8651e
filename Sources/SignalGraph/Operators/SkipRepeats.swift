import JSON

extension OperatorDeclaration {
  static let skipRepeats = OperatorDeclaration(
    "skip_repeats", "Drops a value that equals the one before it.",
    Parameter<GraphExpression?>("by", "compare what this makes of the values", initial: .some(nil)),
    example: OperatorExample("skip_repeats", in: "1-1-2-1|", out: "1---2-1|")
  ) { input, context, by in
    guard let by else { return input.skipRepeats { $0.isSame(as: $1) } }
    let evaluator = context.evaluator(of: by)
    var previous: JSONValue??
    return evaluator.attempt(input) { payload, output in
      let key = try evaluator.first(payload)
      if let previous, previous == key { return }
      previous = .some(key)
      output.send(value: payload)
    }
  }
}
