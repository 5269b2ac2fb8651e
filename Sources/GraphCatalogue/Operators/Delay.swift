import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let delay = OperatorDeclaration(
    "delay", "Shifts values and completion by a time; a failure passes at once.",
    Parameter<Duration>("interval", "the delay", .only),
    dependence: .memory,
    example: OperatorExample("delay: 2s", in: "1-2|", out: "--1-2|")
  ) { input, context, interval in
    input.delay(interval, on: context.scheduler())
  }
  .alsoKnown(as: "wait", "sleep", "shift")
}
