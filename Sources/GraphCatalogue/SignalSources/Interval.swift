import GraphEngine
import GraphModel

extension SourceDeclaration {
  static let interval = SourceDeclaration(
    "interval", "Counts from 0, one number per interval.", kind: .source,
    Parameter<Duration>("interval", "the interval, 1ms or more", .only, shortest: .milliseconds(1))
  ) { context, interval in
    context.ticks(every: interval)
  }
  .drivenByTime()
  .alsoKnown(as: "tick", "every", "periodic", "clock")
}
