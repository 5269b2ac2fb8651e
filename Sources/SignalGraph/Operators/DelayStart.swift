import ReactiveCore

extension OperatorDeclaration {
  static let delayStart = OperatorDeclaration.starting(
    "delay_start", "Starts the source after a time.",
    Parameter<Duration>("delay", "the time", .only), repeatedly: false,
    example: OperatorExample("delay_start: 3s", in: "1-2-3-4|", out: "----3-4|")
  ) { input, context, delay in
    let scheduler = context.scheduler()
    return StreamProducer { output, lifetime in
      lifetime += scheduler.schedule(after: scheduler.currentDate + delay) { output.sendCompleted() }
    }.concat(input)
  }
}
