import JSON
import ReactiveCore

/// One call of an action, from its start until its program is gone.
final class ActionCall {
  private let declaration: ActionDeclaration
  private let engine: GraphEngine
  /// The caller; `nil` once it was told of the end.
  private var observer: ((CallEvent) -> Void)?
  private var run: (any RunningProgram)?
  private var timer: GraphTimer?
  private let parser: LineParser
  private var lines = ActionLines()
  private var isGone = false

  init(of declaration: ActionDeclaration, engine: GraphEngine, _ observer: @escaping (CallEvent) -> Void) {
    self.declaration = declaration
    self.engine = engine
    parser = LineParser(declaration.format)
    self.observer = observer
  }

  /// One that was written down, of which nobody is told any more; its program does not run.
  init(of declaration: ActionDeclaration, engine: GraphEngine, from reader: inout StateReader) throws(StateError) {
    self.declaration = declaration
    self.engine = engine
    parser = LineParser(declaration.format)
    observer = try Bool(from: &reader) ? { _ in } : nil
    lines = try ActionLines(from: &reader)
    if let record = try TimerRecord?(from: &reader) {
      timer = engine.clock.schedule(record, for: nil) { [self] in timeOut() }
    }
  }

  func store(in writer: inout StateWriter) {
    (observer != nil).store(in: &writer)
    lines.store(in: &writer)
    (timer?.record ?? nil).store(in: &writer)
  }

  /// Runs the program, with the value on its standard input.
  func start(with value: Payload?) {
    if let timeout = declaration.timeout {
      timer = engine.clock.schedule(at: engine.clock.now + timeout) { [self] in timeOut() }
    }
    run(with: value.map { $0.json + [UInt8(ascii: "\n")] } ?? [])
  }

  /// Has a call that was written down go on, as programs do: with a new run, which is given nothing.
  func goOn() { run(with: []) }

  private func run(with input: [UInt8]) {
    let program = Program(declaration.command.words, input: input, owner: declaration.name)
    run = engine.world.start(program) { [self] event in
      switch event {
      case .output(let bytes): for outcome in lines.append(bytes, parser, engine.limits) { take(outcome) }
      case .ended(let end):
        for outcome in lines.finish(parser, engine.limits) { take(outcome) }
        finish(end.failure(of: program), status: end.status)
      }
    }
  }

  /// Ends the program; who called is not told.
  func cancel() {
    observer = nil
    dropTimer()
    run?.terminate()
  }

  /// Its timer holds the call.
  private func dropTimer() {
    if let timer = timer.take() { engine.clock.cancel(timer) }
  }

  /// The action as it stands now: a reload may have removed it, and another one made it anew.
  private var action: RunningAction? { engine.actions[declaration.name] }

  // MARK: Outputs

  private func take(_ outcome: ActionLines.Outcome) {
    switch outcome {
    case .value(let value): put(value)
    case .refused(let failure, let line): engine.turns.run { action?.report(failure, value: line) }
    }
  }

  private func put(_ value: Payload) {
    guard observer != nil else { return }
    engine.turns.run { action?.emit(value) }
    observer?(.next(value))
  }

  // MARK: The end

  /// The action stays busy until its program is gone.
  private func timeOut() {
    timer = nil
    guard let observer else { return }
    self.observer = nil
    let timeout = DurationText.written(declaration.timeout ?? .zero)
    engine.turns.run {
      action?.emit(SignalFailure(code: "timeout", message: "no end within \(timeout)"), status: nil)
    }
    observer(.timedOut)
    run?.terminate()
  }

  private func finish(_ failure: SignalFailure?, status: Int32?) {
    guard !isGone else { return }
    isGone = true
    dropTimer()
    let observer = observer.take()
    let failure = failure ?? lines.fault
    engine.calls[declaration.name] = nil
    engine.turns.run {
      if let failure, observer != nil {
        action?.emit(SignalFailure(code: "failed", message: failure.message), status: status)
      }
      action?.tellState()
    }
    observer?(failure.map { .failed($0, status: status) } ?? .completed)
  }

  // MARK: A test in place of the program

  func receive(_ value: Payload) { put(value) }

  func receive(_ ending: SignalEnding) {
    switch ending {
    case .completed: finish(nil, status: 0)
    case .failed(let failure): finish(failure, status: nil)
    case .interrupted:
      observer = nil
      finish(nil, status: nil)
    }
  }
}
