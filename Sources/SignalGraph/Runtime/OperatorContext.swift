import JSON
import ReactiveCore

/// The surroundings in which an operator or a source is built: its body, and its own place there.
struct OperatorContext {
  let body: RunningBody
  let step: any PreparedStep
  let onError: ErrorPolicy
  /// The part of the pipe before the operator, where that may have to be built once more.
  var upstream: Upstream?

  /// The operator's own name, for reports.
  var operatorName: String { step.name }
  var ranks: Ranks { step.ranks }
  var signal: RunningSignal { body.signal }
  var engine: GraphEngine { body.engine }
  var world: any GraphWorld { engine.world }
  var turns: Turns { engine.turns }
  var clock: GraphClock { engine.clock }
  /// The graphs' time in seconds, as `now` gives it.
  var now: Double { engine.clock.seconds }
  var limits: Limits { engine.limits }

  /// Runs `action` in the turn in which the body starts, in the order of the file.
  func onStart(_ action: @escaping () -> Void) { body.onStart(action) }

  /// Runs `action` in the turn in which the body starts or goes on: it fetches something from the world.
  func onAttach(_ action: @escaping () -> Void) { body.onAttach(action) }

  /// Keeps the input of a stream that only timers feed, until the body ends.
  func keep(_ output: StreamObserver) { body.keep(output) }

  /// Where the operator itself is settled: above everything that its parameters name.
  var place: DeclaredPlace { DeclaredPlace(signal: signal, index: ranks.exit) }

  /// Where what the operator hangs on is settled before its parameters are.
  var entry: DeclaredPlace { DeclaredPlace(signal: signal, index: ranks.entry) }

  func join(_ inputs: [RenewableInput], rule: @escaping (Join.Inbox, StreamObserver) -> Void) -> Stream {
    Join.stream(of: inputs, at: place, rule: rule)
  }

  /// The graph's clock, for one operator: of timers due at the same time the one declared first runs first.
  func scheduler() -> GraphScheduler {
    GraphScheduler(clock: engine.clock, turns: turns, place: place)
  }

  /// Reports a value that was refused, and does with it what the signal's `on_error` says.
  func refuse(_ failure: SignalFailure, value: JSONValue?, _ output: StreamObserver) {
    engine.report(failure, of: operatorName, in: signal, value: value)
    switch onError {
    case .drop: break
    case .emit: output.send(value: .value(["error": failure.value]))
    case .fail: output.send(error: failure)
    }
  }

  func evaluator(of expression: GraphExpression) -> Evaluator {
    Evaluator(expression, in: self)
  }

  /// An action by its full name.
  func action(named name: String) -> RunningAction {
    guard let action = engine.actions[name] else { preconditionFailure("\(name) was found to be declared") }
    return action
  }

  /// Finds a signal by its full name, whenever it is asked: what stands behind a name may be replaced.
  func signal(named name: String) -> RunningSignal { engine.signal(named: name) }
}
