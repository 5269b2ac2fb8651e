import JSON

extension OperatorDeclaration {
  static let filterMap = OperatorDeclaration(
    "filter_map", "Emits every output of an expression that is not null.",
    Parameter<GraphExpression>("expression", "what to make of a value", .only),
    example: OperatorExample("filter_map: if . > 1 then . * 2 else null end", in: "1-2|", out: "--4|")
  ) { input, context, expression in
    let evaluator = context.evaluator(of: expression)
    return evaluator.attempt(input) { payload, output in
      try evaluator.outputs(payload) { if case .null = $0 {} else { output.send(value: .value($0)) } }
    }
  }
}
