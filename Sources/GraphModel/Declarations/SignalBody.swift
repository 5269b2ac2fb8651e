/// The computation of a signal: a source and the operators after it.
package struct SignalBody: Sendable {
  package let source: any PreparedSource
  package let pipe: [any PreparedOperator]
  /// The treatment of values that its expressions reject, if the signal sets one.
  package let onError: ErrorPolicy?

  /// The signals declared inline within it.
  let inlineBodies: [SignalBody]

  package init(source: any PreparedSource, pipe: [any PreparedOperator], onError: ErrorPolicy?) {
    (self.source, self.pipe, self.onError) = (source, pipe, onError)
    inlineBodies = Self.references(source, pipe).compactMap { reference in
      if case .inline(let body) = reference.target { body } else { nil }
    }
  }

  var references: [SignalReference] { Self.references(source, pipe) }

  private static func references(_ source: any PreparedSource, _ pipe: [any PreparedOperator]) -> [SignalReference] {
    pipe.isEmpty ? source.references : source.references + pipe.flatMap(\.references)
  }

  /// The signals that it sends to.
  package var targets: [String] { pipe.flatMap(\.targets) + inlineBodies.flatMap(\.targets) }

  /// The actions that it calls.
  package var calls: [String] { pipe.flatMap(\.calls) + inlineBodies.flatMap(\.calls) }

  /// True if its source is on the network.
  package var isOnNetwork: Bool {
    source.needs.contains { if case .connection = $0 { true } else { false } }
  }

  /// True if it needs nothing outside the graphs.
  fileprivate var isSelfContained: Bool {
    source.needs.isEmpty && calls.isEmpty && inlineBodies.allSatisfy(\.isSelfContained)
  }

  /// The named signal that is its source, directly or through inline declarations.
  package var passedOn: String? {
    guard source.name == "from", let reference = source.references.first else { return nil }
    switch reference.target {
    case .named(let name): return name
    case .inline(let body): return body.passedOn
    }
  }
}

extension SignalDeclaration {
  /// True if its events depend only on other signals and on values sent to it.
  package var isSelfContained: Bool { body.isSelfContained }
}
