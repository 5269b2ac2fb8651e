import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let timeInterval = OperatorDeclaration(
    "time_interval", "Adds to each value the seconds since the previous one, or since the start.",
    example: OperatorExample(
      "time_interval", in: "-1--2|", out: "-x--y|", values: "{x: {after: 1, value: 1}, y: {after: 3, value: 2}}")
  ) { input, context in
    let last = context.cell(context.clock.now)
    return input.map { payload in
      let now = context.clock.now
      defer { last.value = now }
      return .value(["after": .number((now - last.value).seconds), "value": payload.value])
    }
  }
  .alsoKnown(as: "elapsed", "age")
}
