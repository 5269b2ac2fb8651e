import ReactiveCore

extension OperatorDeclaration {
  static let delayStart = OperatorDeclaration.starting(
    "delay_start", "Starts the source after a time.",
    Parameter<Duration>("delay", "the time", .only), repeatedly: false,
    example: OperatorExample("delay_start: 3s", in: "1-2-3-4|", out: "----3-4|")
  ) { input, context, delay in
    input.delayStart(delay.seconds, on: context.scheduler())
  }
}
