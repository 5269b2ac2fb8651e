import GraphEngine
import GraphModel
import Signals

extension SourceDeclaration {
  static let input = SourceDeclaration(
    "input", "Emits the values that clients and bindings send to it.", kind: .input,
    Parameter<DeclaredType>("type", "the type of accepted values", .named, initial: .any),
    Parameter<Bool>("endable", "allow clients to end it", initial: false)
  ) { context, type, endable in
    context.inlet(type: type, endable: endable)
  }
  .alsoKnown(as: "subject", "pipe", "topic", "channel", "PublishSubject")
}
