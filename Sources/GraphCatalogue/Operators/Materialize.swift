import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let materialize = OperatorDeclaration(
    "materialize", "Turns all events into values, the ending included, and then completes.",
    dependence: .event,
    example: OperatorExample(
      "materialize", in: "1-|", out: "x-(y|)", values: "{x: {event: next, value: 1}, y: {event: completed}}")
  ) { input, _ in
    input.through(
      value: { $1.send(value: .value(.next($0))) },
      ending: { ending, output in
        output.send(value: .value(JSONValue(ending)))
        output.sendCompleted()
      })
  }
}
