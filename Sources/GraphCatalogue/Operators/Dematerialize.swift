import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let dematerialize = OperatorDeclaration.each(
    "dematerialize", "Turns the values that materialize made back into events.",
    dependence: .event,
    example: OperatorExample(
      "dematerialize", in: "x-y-x", out: "1-|", values: "{x: {event: next, value: 1}, y: {event: completed}}")
  ) { context in
    { payload, output in
      guard let event = payload.value.event else { return context.refuse(payload, expected: "an event", output) }
      output.send(event)
    }
  }
}
