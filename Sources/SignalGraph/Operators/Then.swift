import ReactiveCore

extension OperatorDeclaration {
  static let then = OperatorDeclaration(
    "then", "Drops all values, and goes on with another signal at completion.",
    Parameter<SignalReference>("signal", "what follows", .only),
    example: OperatorExample("then: {values: [8, 9]}", in: "1-2|", out: "---(89|)")
  ) { input, context, other in
    let first = StreamProducer(context.gated(input, before: other))
    return context.body.stream(starting: first.then(context.producer(of: other)))
  }
}
