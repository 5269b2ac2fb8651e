import Expressions
package import GraphModel
package import JSON
import Signals

/// An expression at its place in a graph, with the graph's clock and the policy for refused values.
package struct Evaluator {
  private let expression: Expression
  private let context: OperatorContext
  private let engine: GraphEngine
  private let environment: Environment

  init(_ expression: GraphExpression, in context: OperatorContext) {
    self.expression = expression.expression
    self.context = context
    engine = context.engine
    // An expression without variables or patterns leaves no state in its environment.
    let isPlain = self.expression.freeVariables.isEmpty && !self.expression.usesPatterns
    environment = isPlain ? engine.environment : Environment(variables: Self.variables(around: context))
    environment.readsText = engine.environment.readsText
    if self.expression.usesPatterns { engine.recordSearchCuts(of: environment) }
  }

  /// Returns the variables of every expression of a place.
  private static func variables(around context: OperatorContext) -> [JSONValue] {
    [.string(context.signal.name)] + context.body.variables
  }

  /// Calls `body` with every output for a value; a refused value is treated on `output` as `on_error` requires.
  package func outputs(
    of payload: Payload, refusingTo output: StreamObserver, body: (Payload) -> Void
  ) {
    do {
      try prepare()
      try expression.payloads(of: payload, environment, into: body)
    } catch {
      refuse(error, payload, output)
    }
  }

  /// Returns the first output for a value; `nil` if there is no output or the value is refused.
  ///
  /// - Parameter variable: The operator's own variable, such as `$state`.
  package func first(of payload: Payload, _ variable: JSONValue? = nil, refusingTo output: StreamObserver) -> JSONValue?
  {
    do {
      try prepare(variable)
      return try expression.first(payload, environment)
    } catch {
      refuse(error, payload, output)
      return nil
    }
  }

  /// Returns the first output for a value; throws for a refused one, which the operator treats itself.
  package func first(of payload: Payload) throws(SignalFailure) -> JSONValue? {
    do {
      try prepare()
      return try expression.first(payload, environment)
    } catch {
      throw SignalFailure(code: error.code.rawValue, message: error.message)
    }
  }

  /// Returns the first output for a value; `nil` also if the value is refused, which is not reported.
  package func firstIfAny(of payload: Payload) -> JSONValue? {
    do throws(SignalFailure) { return try first(of: payload) } catch { return nil }
  }

  /// Returns true if the first output is neither false nor null; `nil` for a refused value, which the operator ignores.
  package func truth(of payload: Payload, refusingTo output: StreamObserver) -> Bool? {
    do {
      try prepare()
      return try expression.isTrue(payload, environment)
    } catch {
      refuse(error, payload, output)
      // The earlier rules had it be false.
      return engine.rules < .third ? false : nil
    }
  }

  /// Returns true if the first output is neither false nor null; throws for a refused value.
  package func isTrue(_ payload: Payload) throws(SignalFailure) -> Bool {
    do {
      try prepare()
      return try expression.isTrue(payload, environment)
    } catch {
      throw SignalFailure(code: error.code.rawValue, message: error.message)
    }
  }

  private func refuse(_ error: ExpressionError, _ payload: Payload, _ output: StreamObserver) {
    context.refuse(SignalFailure(code: error.code.rawValue, message: error.message), value: payload.value, output)
  }

  /// Sets the operator's own variable, after those that every expression has.
  ///
  /// - Throws: `limit` once the turn has taken too long.
  private func prepare(_ variable: JSONValue? = nil) throws(ExpressionError) {
    guard engine.turns.timer.admitsWork() else { throw ExpressionError(.limit, engine.turns.timer.overtime) }
    if expression.readsClock { environment.now = engine.clock.seconds }
    environment.limits = engine.expressionLimits
    if expression.usesPatterns { environment.searchBound = engine.turns.timer.beginSearch() }
    guard let variable, !expression.freeVariables.isEmpty else { return }
    let place = 1 + context.body.variables.count
    if place < environment.variables.count {
      environment.variables[place] = variable
    } else {
      environment.variables.append(variable)
    }
  }
}
