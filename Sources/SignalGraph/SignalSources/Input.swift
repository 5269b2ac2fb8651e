import ReactiveCore

extension SourceDeclaration {
  static let input = SourceDeclaration(
    "input", "Emits the values that clients and bindings send to it.", kind: .input,
    Parameter<ValueType>("type", "the type of the values that may be sent", .named, initial: .any),
    Parameter<Bool>("endable", "whether clients may end it", initial: false)
  ) { context, type, endable in
    context.inlet(type: type, endable: endable)
  }
}
