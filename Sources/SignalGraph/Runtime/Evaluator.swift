import Expressions
import JSON
import ReactiveCore

/// An expression at its place in a graph: it knows the graph's clock and what to do when a value is refused.
struct Evaluator {
  private let compiled: GraphExpression
  private let context: OperatorContext
  private let environment: Environment

  init(_ expression: GraphExpression, in context: OperatorContext) {
    compiled = expression
    self.context = context
    // An expression without variables or patterns leaves nothing behind in its environment.
    let isPlain = compiled.expression.freeVariables.isEmpty && !compiled.expression.usesPatterns
    environment = isPlain ? context.engine.environment : Environment(variables: Self.variables(around: context))
  }

  private var expression: Expression { compiled.expression }

  /// The variables of every expression of a place.
  private static func variables(around context: OperatorContext) -> [JSONValue] {
    [.string(context.signal.name)] + context.body.variables
  }

  /// Every output for a value; where the value is refused, what the signal's `on_error` says goes to `output`.
  func outputs(
    of payload: Payload, _ variables: JSONValue..., refusingTo output: StreamObserver, body: (Payload) -> Void
  ) {
    prepare(variables)
    do {
      try expression.payloads(of: payload.value, environment, into: body)
    } catch {
      refuse(error, payload, output)
    }
  }

  /// The first output for a value; `nil` if there is none or the value is refused.
  func first(of payload: Payload, _ variables: JSONValue..., refusingTo output: StreamObserver) -> JSONValue? {
    prepare(variables)
    do {
      return try expression.first(payload.value, environment)
    } catch {
      refuse(error, payload, output)
      return nil
    }
  }

  /// Whether the first output is neither false nor null; a value that is refused is not.
  func isTrue(_ payload: Payload, refusingTo output: StreamObserver) -> Bool {
    prepare([])
    do {
      return try expression.isTrue(payload.value, environment)
    } catch {
      refuse(error, payload, output)
      return false
    }
  }

  /// The same where the operator itself says what becomes of a value that is refused.
  func isTrue(_ payload: Payload) throws(SignalFailure) -> Bool {
    prepare([])
    do {
      return try expression.isTrue(payload.value, environment)
    } catch {
      throw SignalFailure(code: error.code.rawValue, message: error.message)
    }
  }

  /// The first output likewise; `nil` if there is none.
  func first(of payload: Payload) throws(SignalFailure) -> JSONValue? {
    prepare([])
    do {
      return try expression.first(payload.value, environment)
    } catch {
      throw SignalFailure(code: error.code.rawValue, message: error.message)
    }
  }

  private func refuse(_ error: ExpressionError, _ payload: Payload, _ output: StreamObserver) {
    context.refuse(SignalFailure(code: error.code.rawValue, message: error.message), value: payload.value, output)
  }

  /// Sets the operator's own variables, behind those that every expression has.
  private func prepare(_ variables: [JSONValue]) {
    environment.now = context.now
    environment.limits = ExpressionLimits(steps: context.limits.expression, bytes: context.limits.value)
    guard !variables.isEmpty, !compiled.expression.freeVariables.isEmpty else { return }
    environment.variables.replaceSubrange((1 + context.body.variables.count)..., with: variables)
  }
}
