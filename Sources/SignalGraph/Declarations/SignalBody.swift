/// The computation of a signal: a source and the operators behind it.
struct SignalBody: Sendable {
  let source: any PreparedSource
  let pipe: [any PreparedOperator]
  /// The treatment of values that its expressions refuse, if it says so itself.
  let onError: ErrorPolicy?

  var references: [SignalReference] { source.references + pipe.flatMap(\.references) }

  /// The signals that are declared on the spot within it.
  var inlineBodies: [SignalBody] {
    references.compactMap { reference in
      if case .inline(let body) = reference.target { body } else { nil }
    }
  }

  /// The signals that it sends to.
  var targets: [String] { pipe.flatMap(\.targets) + inlineBodies.flatMap(\.targets) }

  /// The actions that it calls.
  var calls: [String] { pipe.flatMap(\.calls) + inlineBodies.flatMap(\.calls) }

  /// The named signal that its source is, directly or through inline declarations.
  var passedOn: String? {
    guard source.name == "from", let reference = source.references.first else { return nil }
    switch reference.target {
    case .named(let name): return name
    case .inline(let body): return body.passedOn
    }
  }
}
