import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let takeFor = OperatorDeclaration(
    "take_for", "Passes values on for a time, then completes.",
    Parameter<Duration>("interval", "the duration", .only),
    dependence: .event,
    example: OperatorExample("take_for: 3s", in: "1-2-3|", out: "1-2|")
  ) { input, context, interval in
    input.take(for: interval, on: context.scheduler())
  }
  .alsoKnown(as: "take during", "for duration")
}
