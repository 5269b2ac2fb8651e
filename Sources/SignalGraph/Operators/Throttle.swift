import ReactiveCore

extension OperatorDeclaration {
  static let throttle = OperatorDeclaration(
    "throttle", "Passes on at most one value in a span of time.",
    Parameter<Duration>("interval", "the span", .plain),
    Parameter<Bool>("leading", "emit the first value of a span at once", initial: true),
    Parameter<Bool>("trailing", "emit the last value of a span at its end", initial: true),
    Parameter<CompletionPolicy>("on_completion", "emit what is pending, or drop it", initial: .flush),
    example: OperatorExample("throttle: 3s", in: "123-----4|", out: "1--3----4|"),
    check: { _, leading, trailing, _ in leading || trailing ? nil : "one of leading and trailing must be true" }
  ) { input, context, interval, leading, trailing, onCompletion in
    input.throttle(
      interval.seconds, on: context.scheduler(), leading: leading, trailing: trailing,
      discardWhenCompleted: onCompletion == .discard)
  }
}
