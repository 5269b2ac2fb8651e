import GraphEngine
import GraphModel
import Signals

extension OperatorDeclaration {
  static let delayStart = OperatorDeclaration.starting(
    "delay_start", "Starts the source after a time.",
    Parameter<Duration>("delay", "the time", .only), repeatedly: false,
    dependence: .memory,
    example: OperatorExample("delay_start: 3s", in: "1-2-3-4|", out: "----3-4|")
  ) { input, context, delay in
    Stream { output, lifetime in
      Succession(context, output, lifetime, recipe: { _ in input }, verdict: { .end($1) }).begin(after: delay)
    }
  }
  .alsoKnown(as: "delaySubscription", "subscribe later")
}
