import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let throttle = OperatorDeclaration(
    "throttle", "Passes on at most one value in a span of time, or none while a signal says so.",
    Parameter<Duration?>("interval", "the span", .plain, initial: .some(nil)),
    Parameter<Bool>("leading", "emit the first value of a span at once", initial: true),
    Parameter<Bool>("trailing", "emit the last value of a span at its end", initial: true),
    Parameter<CompletionPolicy>("on_completion", "emit the value that is held, or drop it", initial: .flush),
    Parameter<SignalReference?>(
      "while", "while this is true, hold the last value and drop the others; completion drops it, too",
      initial: .some(nil)),
    example: OperatorExample("throttle: 3s", in: "123-----4|", out: "1--3----4|"),
    check: { interval, leading, trailing, _, gate in
      if (interval == nil) == (gate == nil) { return "give either interval or while" }
      return leading || trailing ? nil : "one of leading and trailing must be true"
    }
  ) { input, context, interval, leading, trailing, onCompletion, gate in
    if let gate { return context.hold(input, while: context.input(of: gate)) }
    return input.throttle(
      interval ?? .zero, on: context.scheduler(), leading: leading, trailing: trailing,
      discardWhenCompleted: onCompletion == .discard)
  }
}

extension OperatorContext {
  /// ReactiveSwift's `throttle(while:)`, which sees the gate settled.
  fileprivate func hold(_ input: Stream, while gate: RenewableInput) -> Stream {
    let isHolding = cell(false)
    let held = cell(Payload?.none)
    return join([RenewableInput(input), gate]) { [self] inbox, output in
      for payload in inbox[1].compactMap(\.value) { isHolding.value = boolean(payload, output) ?? isHolding.value }
      output.forwardError(of: inbox[1])
      if !isHolding.value, let value = held.value {
        held.value = nil
        output.send(value: value)
      }
      for event in inbox[0] {
        if isHolding.value, let value = event.value { held.value = value } else { output.send(event) }
      }
    }
  }
}
