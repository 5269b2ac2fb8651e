import Expressions
import GraphModel
import JSON

extension GraphEngine {
  /// Returns an environment for an expression of a call, at the time of the turn.
  func callEnvironment(variables: [JSONValue]) -> Environment {
    Environment(variables: variables, now: clock.seconds, limits: expressionLimits)
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
