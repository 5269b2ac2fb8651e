/// The attention that the values of a signal demand of those who look at it.
package struct SeverityDeclaration: Sendable {
  /// A level, from the least to the greatest.
  package enum Level: String, CaseIterable, Sendable {
    case info, warning, critical
  }

  package let level: Level
  /// The expression that is true for values that demand attention; `nil` for the value itself.
  let when: GraphExpression?

  /// The text of `when`, if it is given.
  package var condition: String? { when?.source }
}
