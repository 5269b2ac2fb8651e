import Expressions

/// The expressions of a configuration so far: many signals have the same, which is compiled and kept once.
final class CompiledExpressions {
  private struct Key: Hashable {
    let source: String
    let variables: [String]
  }

  private var known: [Key: GraphExpression] = [:]

  /// The expression of a text that sees some variables.
  func expression(_ source: String, seeing variables: [String]) throws(ExpressionSyntaxError) -> GraphExpression {
    let key = Key(source: source, variables: variables)
    if let expression = known[key] { return expression }
    let expression = GraphExpression(try Expression(source, variables: variables))
    known[key] = expression
    return expression
  }
}
