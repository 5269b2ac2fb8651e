import JSON
import ReactiveCore

extension SourceDeclaration {
  static let `if` = SourceDeclaration(
    "if", "Passes on one of two signals, as the latest boolean of another one says.", kind: .derived,
    Parameter<SignalReference>("condition", "chooses by its booleans"),
    Parameter<SignalReference>("then", "what true chooses"),
    Parameter<SignalReference>("else", "what false chooses")
  ) { context, condition, then, otherwise in
    let choices = [true: context.choice(of: then), false: context.choice(of: otherwise)]
    return context.choosing(by: context.input(of: condition), among: [then, otherwise], .latest) { payload, output in
      context.boolean(payload, output).flatMap { choices[$0] }
    }
  }
}
