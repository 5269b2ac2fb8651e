import GraphEngine
import GraphModel
import Signals

extension SourceDeclaration {
  static let `if` = SourceDeclaration(
    "if", "Passes on one of two signals, chosen by the latest boolean of a third.", kind: .derived,
    Parameter<SignalReference>("condition", "the condition"),
    Parameter<SignalReference>("then", "the signal for true"),
    Parameter<SignalReference>("else", "the signal for false"),
    dependence: .memory
  ) { context, condition, then, otherwise in
    let choices = [true: context.choice(of: then), false: context.choice(of: otherwise)]
    return context.choosing(by: context.input(of: condition), among: [then, otherwise], .latest) { payload, output in
      context.boolean(payload, output).flatMap { choices[$0] }
    }
  }
  .alsoKnown(as: "iif", "conditional", "choose")
}
