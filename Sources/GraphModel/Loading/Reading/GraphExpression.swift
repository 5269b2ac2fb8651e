package import Expressions

/// A compiled expression of a configuration.
package final class GraphExpression: Sendable {
  package let expression: Expression

  init(_ expression: Expression) { self.expression = expression }

  package var source: String { expression.source }
}
