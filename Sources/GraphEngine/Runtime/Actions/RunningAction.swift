import Expressions
package import GraphModel
package import JSON
package import Signals

/// An action by name: it runs its program for one call at a time and emits its four signals.
///
/// It survives reloads: a running call finishes under the declaration that it was made with.
package final class RunningAction: CallableAction {
  private(set) var declaration: ActionDeclaration
  private unowned let engine: GraphEngine
  /// One of its running signals.
  private struct Output {
    let input: StreamObserver
    let body: RunningBody
    /// The last emitted value of `executing` or `enabled`.
    let emitted: Cell<Bool?>
  }

  private var outputs: [ActionSignal: Output] = [:]
  /// The last value of `enabled_if`.
  private var isAllowed: Cell<Bool>?

  init(_ declaration: ActionDeclaration, engine: GraphEngine) {
    self.declaration = declaration
    self.engine = engine
  }

  package var name: String { declaration.name }
  package var access: AccessRules { declaration.access }
  /// True without `enabled_if`.
  package var isUnconditional: Bool {
    declaration.signals.first { $0.name == declaration.name(of: .condition) }?.upstream.isEmpty ?? false
  }

  /// Adopts another declaration; changed signals are rebuilt.
  func apply(_ declaration: ActionDeclaration) { self.declaration = declaration }

  // MARK: Calls

  /// The client's running call, possibly begun before the action was removed and added again.
  var call: ActionCall? { engine.calls[name] }

  /// The running calls of pipes.
  private var piped: [PipedCall] { engine.pipedCalls[name] ?? [] }

  /// The number of pipes' calls that run in another runtime.
  private var callsElsewhere = 0

  /// True while any call runs.
  var isExecuting: Bool { call != nil || !piped.isEmpty || callsElsewhere > 0 }

  package func call(
    _ value: Payload?, _ observer: @escaping (RunEvent) -> Void
  ) throws(CallRefusal) -> any Disposable {
    if isExecuting { throw .busy }
    guard isEnabled else { throw .disabled }
    let call = ActionCall(of: declaration, engine: engine, observer)
    engine.calls[name] = call
    engine.turns.run { reportState() }
    engine.find(declaration.name(of: .values))?.count(.start)
    engine.onCall(name, value ?? .value(.null))
    call.start(with: value)
    return AnyDisposable { call.cancel() }
  }

  /// The value of `enabled`, which a test may set.
  private var isEnabled: Bool {
    engine.find(declaration.name(of: .enabled))?.retained.last?.payload.value == true
  }

  /// Emits an output of the running call, within a turn.
  func emit(_ value: Payload) { outputs[.values]?.input.send(value: value) }

  /// Emits the failure of the running call, within a turn.
  func emit(_ failure: SignalFailure, status: Int32?) {
    engine.find(declaration.name(of: .values))?.count(.failure)
    outputs[.errors]?.input.send(value: .value(failure.value(status: status)))
  }

  /// Reports an output that could not be converted to a value, within a turn.
  func report(_ failure: SignalFailure, value: JSONValue) {
    guard let signal = engine.find(declaration.name(of: .values)) else { return }
    engine.report(failure, of: "exec", in: signal, value: value)
  }

  /// Emits an output from a test, in place of the programs of the running calls.
  package func receive(_ value: Payload) throws(SendError) {
    try checkExecuting()
    call?.receive(value)
    for call in piped { call.receive(value) }
  }

  /// Ends the running calls from a test.
  ///
  /// - Parameter status: The status of a failure.
  package func receive(_ ending: SignalEnding, status: Int32? = nil) throws(SendError) {
    try checkExecuting()
    let present = piped
    call?.receive(ending, status: status)
    for call in present { call.receive(ending, status: status) }
  }

  private func checkExecuting() throws(SendError) {
    guard isExecuting else {
      throw .failed(SignalFailure(code: "not_running", message: "no running call of the action"))
    }
  }
}

// MARK: - Calls of pipes

extension RunningAction {
  /// Publishes an event of a pipe's call on the action's signals, an output or a failure within a turn.
  func emit(_ event: ActionEvent) {
    receive(event)
    engine.mirrors.onActionEvent(name, event)
  }

  /// Publishes an event of a call that runs in another runtime.
  func receiveRemote(_ event: ActionEvent) {
    switch event {
    case .began: callsElsewhere += 1
    case .over: callsElsewhere = max(0, callsElsewhere - 1)
    case .output, .failed: break
    }
    receive(event)
  }

  private func receive(_ event: ActionEvent) {
    switch event {
    case .output(let value): emit(value)
    case .failed(let failure, let status): emit(failure, status: status)
    case .began, .over:
      if case .began = event { engine.find(declaration.name(of: .values))?.count(.start) }
      // The call may have begun in a turn in which the state was already read.
      _ = engine.turns.enqueue(to: declaration.name(of: .executing)) { [weak self] in self?.reportState() }
    }
  }
}

// MARK: - Its signals

extension RunningAction {
  /// Returns the stream of one of its signals.
  ///
  /// - Parameter other: The signal that it follows.
  package func stream(of signal: ActionSignal, following other: SignalReference?, _ context: OperatorContext) -> Stream
  {
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let body = context.body
    outputs[signal] = Output(input: output, body: body, emitted: context.cell(nil))
    body.onEnd { [unowned self, unowned body] in
      if outputs[signal]?.body === body { outputs[signal] = nil }
    }
    switch signal {
    case .values, .errors: break
    case .executing:
      context.onStart { [unowned self] in
        emit(isExecuting, on: .executing)
      }
    case .enabled: follow(other, context)
    case .condition: hold(other, context)
    }
    return stream
  }

  /// Makes `condition` follow the truth of a signal; without one it is true.
  private func hold(_ other: SignalReference?, _ context: OperatorContext) {
    if let other {
      let (lifetime, token) = Lifetime.make()
      context.body.onEnd { token.dispose() }
      UpstreamSubscription(context.input(of: other), in: context.signal, lifetime) { [unowned self] event in
        if let payload = event.value { emit(payload.value.isTrue, on: .condition) }
      }.begin()
    }
    context.onStart { [unowned self] in
      if outputs[.condition]?.emitted.value == nil { emit(other == nil, on: .condition) }
    }
  }

  /// Makes `enabled` follow the condition and the running call.
  private func follow(_ condition: SignalReference?, _ context: OperatorContext) {
    let isAllowed = context.cell(condition == nil)
    self.isAllowed = isAllowed
    var hasStarted = context.body.isRestored
    if let condition {
      let (lifetime, token) = Lifetime.make()
      context.body.onEnd { token.dispose() }
      // A condition that has ended keeps its last value.
      UpstreamSubscription(context.input(of: condition), in: context.signal, lifetime) { [unowned self] event in
        guard let payload = event.value else { return }
        isAllowed.value = payload.value.isTrue
        if hasStarted { reportState() }
      }.begin()
    }
    context.onStart { [unowned self] in
      hasStarted = true
      reportState()
    }
  }

  /// Emits `executing` and `enabled` where they have changed, within a turn.
  func reportState() {
    emit(isExecuting, on: .executing)
    emit((isAllowed?.value ?? true) && !isExecuting, on: .enabled)
  }

  private func emit(_ state: Bool, on signal: ActionSignal) {
    guard let output = outputs[signal], state != output.emitted.value else { return }
    output.emitted.value = state
    output.input.send(value: .value(.bool(state)))
  }
}
