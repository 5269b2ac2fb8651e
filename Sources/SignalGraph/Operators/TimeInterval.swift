import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let timeInterval = OperatorDeclaration(
    "time_interval", "Puts beside each value the seconds since the one before, or since the start.",
    example: OperatorExample(
      "time_interval", in: "-1--2|", out: "-x--y|", values: "{x: {after: 1, value: 1}, y: {after: 3, value: 2}}")
  ) { input, context in
    var last = context.clock.now
    return input.map { payload in
      let now = context.clock.now
      defer { last = now }
      return .value(["after": .number((now - last).seconds), "value": payload.value])
    }
  }
}
