import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let throttle = OperatorDeclaration(
    "throttle", "Emits at most one value per interval, or none while a signal is true.",
    Parameter<Duration?>("interval", "the span", .plain, initial: .some(nil)),
    Parameter<Bool>("leading", "emit the first value of an interval at once", initial: true),
    Parameter<Bool>("trailing", "emit the last value of an interval at its end", initial: true),
    Parameter<CompletionPolicy>("on_completion", "emit the pending value, or drop it", initial: .flush),
    Parameter<SignalReference?>(
      "while", "while this is true, hold the last value and drop the others; completion drops the held one",
      initial: .some(nil)),
    example: OperatorExample("throttle: 3s", in: "123-----4|", out: "1--3----4|"),
    check: { interval, leading, trailing, _, gate in
      if (interval == nil) == (gate == nil) { return "give exactly one of interval and while" }
      return leading || trailing ? nil : "leading or trailing must be true"
    }
  ) { input, context, interval, leading, trailing, onCompletion, gate in
    if let gate { return context.hold(input, while: context.input(of: gate)) }
    return input.throttle(
      interval ?? .zero, on: context.scheduler(), leading: leading, trailing: trailing,
      discardWhenCompleted: onCompletion == .discard)
  }
  .alsoKnown(as: "rate limit", "ratelimit", "limit rate", "throttleTime", "at most once", "cooldown")
}

extension OperatorContext {
  /// ReactiveSwift's `throttle(while:)`; the gate has settled before it is read.
  fileprivate func hold(_ input: Stream, while gate: RestartableInput) -> Stream {
    let isHolding = cell(false)
    let held = cell(Payload?.none)
    return join([RestartableInput(input), gate]) { [self] inbox, output in
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
