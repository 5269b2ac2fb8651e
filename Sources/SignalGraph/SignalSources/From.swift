import ReactiveCore

extension SourceDeclaration {
  static let from = SourceDeclaration(
    "from", "Another signal.", kind: .derived,
    Parameter<SignalReference>("signal", "the other signal", .only)
  ) { context, signal in
    context.stream(of: signal)
  }
}
