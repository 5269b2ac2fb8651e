import Expressions
import JSON
import ReactiveCore

/// What an operator or a source is built with: the graph around it, and the signal that it belongs to.
struct OperatorContext {
  let graph: RunningGraph
  let signal: RunningSignal
  let onError: ErrorPolicy
  /// The operator's own name, for reports.
  let operatorName: String

  func named(_ operatorName: String) -> OperatorContext {
    OperatorContext(graph: graph, signal: signal, onError: onError, operatorName: operatorName)
  }

  var world: any GraphWorld { graph.world }
  /// The graphs' time in seconds, as `now` gives it.
  var now: Double { graph.clock.seconds }
  var limits: Limits { graph.limits }

  /// The stream of another signal, which was built before.
  func stream(of reference: SignalReference) -> Stream {
    switch reference {
    case .named(let name, _): graph.stream(named: name)
    case .inline(let body): graph.build(body, in: self)
    }
  }

  func join(_ inputs: [Stream], rule: @escaping (Join.Inbox, StreamObserver) -> Void) -> Stream {
    Join.stream(of: inputs, in: graph.turns, rule: rule)
  }

  /// Runs `action` in the turn in which the graph starts, in the order of the file.
  func onStart(_ action: @escaping () -> Void) { graph.onStart(action) }

  /// Keeps the input of a stream that only timers feed, and interrupts it when the graph goes.
  func keep(_ output: StreamObserver) { graph.keep(output) }

  /// The graph's clock, for one operator: of timers due at the same time the one declared first runs first.
  func scheduler() -> GraphScheduler {
    GraphScheduler(clock: graph.clock, turns: graph.turns, declaration: graph.nextDeclaration())
  }

  /// Runs `action` as a turn after a time, then again and again.
  func repeating(after delay: Duration, every: Duration, _ action: @escaping () -> Void) {
    let scheduler = scheduler()
    graph.keep(scheduler.schedule(after: scheduler.currentDate + delay, interval: every, action: action))
  }

  /// The values of this signal are held for newcomers, whatever its traits say.
  func hold() { graph.hold(signal) }

  /// Reports a value that was refused, and does with it what the signal's `on_error` says.
  func refuse(_ failure: SignalFailure, value: JSONValue?, _ output: StreamObserver) {
    graph.report(failure, of: operatorName, in: signal, value: value)
    switch onError {
    case .drop: break
    case .emit: output.send(value: .value(["error": failure.value]))
    case .fail: output.send(error: failure)
    }
  }

  func evaluator(of expression: GraphExpression) -> Evaluator {
    Evaluator(expression, in: self)
  }
}
