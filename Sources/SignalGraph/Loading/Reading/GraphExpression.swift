import Expressions

/// A compiled expression of a configuration.
final class GraphExpression: Sendable {
  let expression: Expression

  init(_ expression: Expression) { self.expression = expression }

  var source: String { expression.source }
}
