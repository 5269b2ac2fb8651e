package import GraphModel
package import JSON
import Signals

/// The context in which an operator or a source is built: its body, and its own place there.
package struct OperatorContext {
  package let body: RunningBody
  let step: any PreparedStep
  package let onError: ErrorRoute
  /// The part of the pipe before the operator, if it may have to be built again.
  var upstream: Upstream?

  /// The operator's own name, for reports.
  package var operatorName: String { step.name }
  var ranks: Ranks { step.ranks }
  package var signal: RunningSignal { body.signal }
  var engine: GraphEngine { body.engine }
  package var world: any GraphWorld { engine.world }
  package var turns: Turns { engine.turns }
  package var clock: GraphClock { engine.clock }
  /// The graphs' time in seconds, for `now`.
  package var now: Double { engine.clock.seconds }
  package var limits: Limits { engine.limits }
  /// The rules that the graphs follow in processing their inputs.
  package var rules: GraphRules { engine.rules }

  /// Runs `action` in the turn in which the body starts, in the order of the file.
  package func onStart(_ action: @escaping () -> Void) { body.onStart(action) }

  /// Runs `action` in the turn in which the body starts or resumes, to attach to the world.
  func onAttach(_ action: @escaping () -> Void) { body.onAttach(action) }

  /// Retains the input of a stream that only timers feed, until the body ends.
  package func keep(_ output: StreamObserver) { body.keep(output) }

  /// The place where the operator itself is settled: above everything that its parameters name.
  package var place: DeclaredPlace { DeclaredPlace(signal: signal, index: ranks.exit) }

  /// The place where the operator's input is settled, before its parameters.
  var entry: DeclaredPlace { DeclaredPlace(signal: signal, index: ranks.entry) }

  package func join(_ inputs: [RestartableInput], rule: @escaping (Join.Inbox, StreamObserver) -> Void) -> Stream {
    Join.stream(of: inputs, at: place, rule: rule)
  }

  /// Returns the graph's clock for one operator: of timers due at the same time, the one declared first runs first.
  package func scheduler() -> GraphScheduler {
    GraphScheduler(clock: engine.clock, turns: turns, place: place)
  }

  /// Reports a refused value and treats it as the signal's `on_error` requires.
  ///
  /// An emitted error leaves the signal at once; `output` receives only a failure.
  ///
  /// - Parameter status: The exit status of the program that has failed, if any.
  package func refuse(_ failure: SignalFailure, status: Int32? = nil, value: JSONValue?, _ output: StreamObserver) {
    engine.report(failure, of: operatorName, in: signal, value: value)
    switch onError.policy {
    case .drop: break
    case .emit: emit(failure.value(status: status), output)
    case .fail: output.send(error: failure)
    }
  }

  private func emit(_ error: JSONValue, _ output: StreamObserver) {
    // The first rules have no exit: an error continued through the pipe as any value.
    guard let exit = onError.exit else { return output.send(value: .value(["error": error])) }
    let value = onError.value(of: error)
    guard let recorder = engine.recorder else { return exit.emit(value) }
    recorder.leaving(value, at: ranks.exit, of: body) { exit.emit(value) }
  }

  /// The initial value of the signal, `hold: {initial}`, for an operator that compares values at the end of its pipe:
  /// subscribers receive it before the first value that passes through.
  package var valueBefore: Payload? {
    guard engine.rules != .first, let initial = signal.declaration.traits.initial else { return nil }
    let pipe = signal.declaration.body.pipe
    guard let place = pipe.firstIndex(where: { $0.ranks.exit == ranks.exit }) else { return nil }
    return pipe[place...].allSatisfy { Self.comparing.contains($0.name) } ? .value(initial) : nil
  }

  /// The operators that emit values unchanged and at once, or drop them because of earlier ones.
  private static let comparing: Set = ["skip_repeats", "unique", "log"]

  package func evaluator(of expression: GraphExpression) -> Evaluator {
    Evaluator(expression, in: self)
  }

  package func evaluator(of predicate: Predicate) -> Evaluator { evaluator(of: predicate.expression) }

  /// Returns an action by its full name.
  package func action(named name: String) -> RunningAction {
    guard let action = engine.actions[name] else { preconditionFailure("\(name) was found to be declared") }
    return action
  }

  /// Finds a signal by its full name on each use, since the signal behind a name may be replaced.
  package func signal(named name: String) -> RunningSignal { engine.signal(named: name) }
}
