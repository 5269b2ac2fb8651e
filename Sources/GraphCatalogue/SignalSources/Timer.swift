import GraphEngine
import GraphModel
import Signals

extension SourceDeclaration {
  static let timer = SourceDeclaration(
    "timer", "Emits 0 after a time and completes, or keeps counting.", kind: .source,
    Parameter<Duration>("after", "the time to the first value", .plain),
    Parameter<Duration?>(
      "every", "the interval of further values; without it the timer completes", initial: .some(nil),
      shortest: .milliseconds(1))
  ) { context, after, every in
    context.ticks(after: after, every: every)
  }
  .drivenByTime()
  .alsoKnown(as: "once", "after")
}
