/// What computes a signal: a source and the operators behind it.
struct SignalBody: Sendable {
  let source: PreparedSource
  let pipe: [PreparedOperator]
  /// What becomes of values that its expressions refuse, where it says so itself.
  let onError: ErrorPolicy?

  var references: [SignalReference] { source.references + pipe.flatMap(\.references) }
}
