import Expressions
import GraphModel
import JSON

extension GraphEngine {
  /// Returns an environment for the expressions of a call, at the time of the turn.
  func callEnvironment(variables: [JSONValue]) -> Environment {
    let environment = Environment(variables: variables, now: clock.seconds, limits: expressionLimits)
    recordSearchCuts(of: environment)
    return environment
  }

  /// Returns the first output of an expression of a call.
  func first(
    of expression: GraphExpression, for value: JSONValue, in environment: Environment
  ) throws(ExpressionError) -> JSONValue? {
    if expression.expression.usesPatterns { environment.searchBound = turns.timer.beginSearch() }
    return try expression.expression.first(value, environment)
  }

  /// Returns an environment for an expression that is evaluated outside of turns, at the time of day.
  func outsideEnvironment(variables: [JSONValue] = []) -> Environment {
    Environment(variables: variables, now: Double(clock.microseconds) / 1e6, limits: expressionLimits)
  }

  /// Records where the searches of an environment's evaluations take too long, for a repetition.
  func recordSearchCuts(of environment: Environment) {
    environment.onSearchCut = { [turns] in turns.timer.cutSearch(of: $0, at: $1) }
  }

  /// Returns a parser of lines from outside, whose searches are recorded where they take too long.
  func lineParser(_ format: LineFormat) -> LineParser {
    let environment = Environment()
    recordSearchCuts(of: environment)
    return LineParser(format, environment) { [turns] in turns.timer.beginSearch() }
  }
}
