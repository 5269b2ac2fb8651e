import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let audit = OperatorDeclaration(
    "audit", "Emits the latest value at the end of each interval that starts with a value.",
    Parameter<Duration>("interval", "the length of the interval", .only),
    dependence: .memory,
    example: OperatorExample("audit: 2s", in: "12-3---|", out: "--2--3-|")
  ) { input, context, interval in
    input.audit(interval, on: context.scheduler())
  }
  .alsoKnown(as: "auditTime", "rate limit")
}
