import Expressions
import JSON
import ReactiveCore

/// An action under its name: it runs its program for one call at a time, and feeds its four signals.
///
/// It outlives reloads: a call that runs finishes under the declaration that it was made by.
final class RunningAction: CallableAction {
  private(set) var declaration: ActionDeclaration
  private unowned let engine: GraphEngine
  /// One of its signals, as long as it runs.
  private struct Output {
    let input: StreamObserver
    let body: RunningBody
    /// The last value of `executing` or `enabled`.
    let told: Cell<Bool?>
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

  /// Takes over another declaration; its signals are built afresh where they have changed.
  func apply(_ declaration: ActionDeclaration) { self.declaration = declaration }

  // MARK: Calls

  /// The client's call that runs, perhaps since before the action was removed and made anew.
  var call: ActionCall? { engine.calls[name] }

  /// The calls of pipes that run.
  private var piped: [PipedCall] { engine.pipedCalls[name] ?? [] }

  /// How many calls of pipes run in another runtime.
  private var callsElsewhere = 0

  /// Whether it runs for anybody.
  var isExecuting: Bool { call != nil || !piped.isEmpty || callsElsewhere > 0 }

  package func call(
    _ value: Payload?, _ observer: @escaping (CallEvent) -> Void
  ) throws(CallRefusal) -> any Disposable {
    if isExecuting { throw .busy }
    guard isEnabled else { throw .disabled }
    let call = ActionCall(of: declaration, engine: engine, observer)
    engine.calls[name] = call
    engine.turns.run { tellState() }
    engine.find(declaration.name(of: .values))?.count(.start)
    engine.onCall(name, value ?? .value(.null))
    call.start(with: value)
    return AnyDisposable { call.cancel() }
  }

  /// The signal's value, which a test may give in its place.
  private var isEnabled: Bool {
    engine.find(declaration.name(of: .enabled))?.retained.last?.payload.value == true
  }

  /// The call that runs has put something out; within a turn.
  func emit(_ value: Payload) { outputs[.values]?.input.send(value: value) }

  /// The call that runs has failed; within a turn.
  func emit(_ failure: SignalFailure, status: Int32?) {
    engine.find(declaration.name(of: .values))?.count(.failure)
    outputs[.errors]?.input.send(value: .value(failure.value(status: status)))
  }

  /// An output that an expression could not be made of, or none at all; within a turn.
  func report(_ failure: SignalFailure, value: JSONValue) {
    guard let signal = engine.find(declaration.name(of: .values)) else { return }
    engine.report(failure, of: "exec", in: signal, value: value)
  }

  /// The outputs that a test gives the calls that run, in place of their programs.
  func receive(_ value: Payload) throws(SendError) {
    try checkExecuting()
    call?.receive(value)
    for call in piped { call.receive(value) }
  }

  /// How a test has the calls that run end.
  func receive(_ ending: SignalEnding) throws(SendError) {
    try checkExecuting()
    let present = piped
    call?.receive(ending)
    for call in present { call.receive(ending) }
  }

  private func checkExecuting() throws(SendError) {
    guard isExecuting else {
      throw .failed(SignalFailure(code: "not_running", message: "no call of the action runs"))
    }
  }
}

// MARK: - Calls of pipes

extension RunningAction {
  /// A call of a pipe has something to tell the action's signals, an output or a failure within a turn.
  func tell(_ news: ActionNews) {
    hear(news)
    engine.mirrors.onNews(name, news)
  }

  /// The same of a call that runs in another runtime.
  func hearFromElsewhere(_ news: ActionNews) {
    switch news {
    case .began: callsElsewhere += 1
    case .over: callsElsewhere = max(0, callsElsewhere - 1)
    case .output, .failed: break
    }
    hear(news)
  }

  private func hear(_ news: ActionNews) {
    switch news {
    case .output(let value): emit(value)
    case .failed(let failure, let status): emit(failure, status: status)
    case .began, .over:
      if case .began = news { engine.find(declaration.name(of: .values))?.count(.start) }
      // It may have begun in the midst of a turn in which others have looked at the state already.
      _ = engine.turns.enqueue(to: declaration.name(of: .executing)) { [weak self] in self?.tellState() }
    }
  }
}

// MARK: - Its signals

extension RunningAction {
  /// The stream of one of its signals.
  ///
  /// - Parameter other: The signal that it follows.
  func stream(of signal: ActionSignal, following other: SignalReference?, _ context: OperatorContext) -> Stream {
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let body = context.body
    outputs[signal] = Output(input: output, body: body, told: context.cell(nil))
    body.onEnd { [unowned self, unowned body] in
      if outputs[signal]?.body === body { outputs[signal] = nil }
    }
    switch signal {
    case .values, .errors: break
    case .executing:
      context.onStart { [unowned self] in
        tell(isExecuting, on: .executing)
      }
    case .enabled: follow(other, context)
    case .condition: hold(other, context)
    }
    return stream
  }

  /// Has `condition` say whether a signal is true; without one it is.
  private func hold(_ other: SignalReference?, _ context: OperatorContext) {
    if let other {
      let (lifetime, token) = Lifetime.make()
      context.body.onEnd { token.dispose() }
      Hearing(context.input(of: other), in: context.signal, lifetime) { [unowned self] event in
        if let payload = event.value { tell(payload.value.isTrue, on: .condition) }
      }.begin()
    }
    context.onStart { [unowned self] in
      if outputs[.condition]?.told.value == nil { tell(other == nil, on: .condition) }
    }
  }

  /// Has `enabled` say what the condition and the call that runs make of it.
  private func follow(_ condition: SignalReference?, _ context: OperatorContext) {
    let isAllowed = context.cell(condition == nil)
    self.isAllowed = isAllowed
    var hasStarted = context.body.isRestored
    if let condition {
      let (lifetime, token) = Lifetime.make()
      context.body.onEnd { token.dispose() }
      // One that has ended leaves things as they are.
      Hearing(context.input(of: condition), in: context.signal, lifetime) { [unowned self] event in
        guard let payload = event.value else { return }
        isAllowed.value = payload.value.isTrue
        if hasStarted { tellState() }
      }.begin()
    }
    context.onStart { [unowned self] in
      hasStarted = true
      tellState()
    }
  }

  /// Says whether it runs and whether it is enabled, where that has changed; within a turn.
  func tellState() {
    tell(isExecuting, on: .executing)
    tell((isAllowed?.value ?? true) && !isExecuting, on: .enabled)
  }

  private func tell(_ state: Bool, on signal: ActionSignal) {
    guard let output = outputs[signal], state != output.told.value else { return }
    output.told.value = state
    output.input.send(value: .value(.bool(state)))
  }
}
