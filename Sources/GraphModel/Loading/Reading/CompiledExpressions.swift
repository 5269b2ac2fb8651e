import Base
import Expressions
import JSON

/// The expressions compiled so far for a configuration; signals with equal expressions share one.
final class CompiledExpressions {
  private struct Key: Hashable {
    let source: ExactText
    let variables: [String]
  }

  private var known: [Key: GraphExpression] = [:]
  /// The time zones that expressions name.
  private let zones: TimeZones

  init(_ zones: TimeZones) { self.zones = zones }

  /// Returns the expression of a text with the given variables in scope.
  func expression(_ source: String, seeing variables: [String]) throws(ExpressionSyntaxError) -> GraphExpression {
    let key = Key(source: ExactText(source), variables: variables)
    if let expression = known[key] { return expression }
    let expression = GraphExpression(try Expression(source, variables: variables, zones: zones))
    known[key] = expression
    return expression
  }
}
