import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let take = OperatorDeclaration(
    "take", "Passes on the first values, then completes.",
    Parameter<Int>("count", "the number of values; with 0 it completes at once", .only, maximum: .max),
    dependence: .event,
    example: OperatorExample("take: 2", in: "1-2-3|", out: "1-(2|)")
  ) { input, context, count in
    count == 0 ? context.generate([], then: .completed) : input.take(first: count)
  }
  .alsoKnown(as: "limit", "head")
}
