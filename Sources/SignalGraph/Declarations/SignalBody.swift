/// What computes a signal: a source and the operators behind it.
struct SignalBody: Sendable {
  let source: PreparedSource
  let pipe: [PreparedOperator]

  var references: [SignalReference] { source.references + pipe.flatMap(\.references) }
}
