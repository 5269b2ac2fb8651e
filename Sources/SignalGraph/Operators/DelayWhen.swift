import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let delayWhen = OperatorDeclaration(
    "delay_when", "Holds each value until a signal that is started for it, and sees it as $value, emits or completes.",
    Parameter<SignalReference>("signal", "what each value waits for", .only, variables: ["value"]),
    example: OperatorExample("delay_when: {timer: 2s}", in: "1-2-|", out: "--1-(2|)")
  ) { input, context, reference in
    var held = 0
    return context.gated(input, before: reference)
      .through { payload, output in
        guard held < defaultWaiting else { return output.send(error: .overflow(defaultWaiting, in: "delay_when")) }
        held += 1
        output.send(value: payload)
      }
      .delay(when: { payload in
        StreamProducer { observer, lifetime in
          // However the trigger ends, the value is held no more.
          lifetime.observeEnded { held -= 1 }
          lifetime += context.producer(of: reference, seeing: payload.value).start(observer)
        }
      })
  }
}
