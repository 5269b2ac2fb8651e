import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let skipFor = OperatorDeclaration(
    "skip_for", "Drops values for a time at the start.",
    Parameter<Duration>("interval", "the duration", .only),
    dependence: .event,
    example: OperatorExample("skip_for: 3s", in: "1-2-3|", out: "----3|")
  ) { input, context, interval in
    input.skip(for: interval, on: context.scheduler())
  }
  .alsoKnown(as: "drop for", "warm up", "grace period")
}
