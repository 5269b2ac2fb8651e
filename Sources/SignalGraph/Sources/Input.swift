import ReactiveCore

extension SourceDeclaration {
  static let input = SourceDeclaration(
    "input", "Clients and bindings send the values.", kind: .input,
    Parameter<ValueType>("type", "what may be sent", .named, initial: .any),
    Parameter<Bool>("endable", "whether clients may end it", initial: false)
  ) { context, type, endable in
    context.inlet(type: type, endable: endable)
  }
}
