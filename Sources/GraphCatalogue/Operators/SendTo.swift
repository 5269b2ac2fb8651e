import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let sendTo = OperatorDeclaration(
    "send_to", "Sends each value to an input or a property, as a turn of its own, and passes it on.",
    Parameter<TargetReference>("signal", "the input or property", .only),
    dependence: .event,
    example: OperatorExample("send_to: other", in: "1-2|", others: ["other": "-----"], out: "1-2|")
  ) { input, context, target in
    // A refusal is reported in a later turn: the stream must accept values at any time.
    Stream { output, lifetime in
      let binding = TargetBinding(to: target.name, context, output)
      lifetime += input.observe(
        StreamObserver(
          value: { payload in
            binding.send(payload)
            output.send(value: payload)
          },
          ending: { output.send($0) }))
    }
  }
  .alsoKnown(as: "bind", "forward", "feedback", "pipe to")
}
