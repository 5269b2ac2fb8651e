/// The attention that the values of a signal demand of those who look at it.
package struct SeverityDeclaration: Sendable {
  /// A level, from the least to the greatest.
  package enum Level: String, CaseIterable, Sendable {
    case info, warning, critical
  }

  package let level: Level
  /// The expression that is true for values that demand attention; `nil` for the value itself.
  package let when: GraphExpression?

  package init(level: Level, when: GraphExpression?) {
    self.level = level
    self.when = when
  }

  /// The text of `when`, if it is given.
  package var condition: String? { when?.source }
}
