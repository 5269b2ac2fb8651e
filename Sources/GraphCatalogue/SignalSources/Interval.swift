import GraphEngine
import GraphModel

extension SourceDeclaration {
  static let interval = SourceDeclaration(
    "interval", "Counts from 0, one number per interval.", kind: .source,
    Parameter<Duration>("interval", "the interval, 1ms or more", .only),
    check: { $0 < .milliseconds(1) ? "the interval must be 1ms or more" : nil }
  ) { context, interval in
    context.ticks(every: interval)
  }
  .drivenByTime()
  .alsoKnown(as: "tick", "every", "periodic", "clock")
}
