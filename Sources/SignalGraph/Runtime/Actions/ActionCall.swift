import JSON
import ReactiveCore

/// One call of an action, from its start until its program is gone or its method has returned.
final class ActionCall: WorkingCall {
  private let declaration: ActionDeclaration
  let engine: GraphEngine
  private let work: any CallWork
  /// The caller; `nil` once it was told of the end.
  private var observer: ((CallEvent) -> Void)?
  private var timer: GraphTimer?
  private var isGone = false

  init(of declaration: ActionDeclaration, engine: GraphEngine, _ observer: @escaping (CallEvent) -> Void) {
    self.declaration = declaration
    self.engine = engine
    work = declaration.task.work(of: declaration.name)
    self.observer = observer
  }

  /// One that was written down, of which nobody is told any more; its work does not go on yet.
  init(of declaration: ActionDeclaration, engine: GraphEngine, from reader: inout StateReader) throws(StateError) {
    self.declaration = declaration
    self.engine = engine
    work = declaration.task.work(of: declaration.name)
    observer = try Bool(from: &reader) ? { _ in } : nil
    try work.restore(from: &reader)
    if let record = try TimerRecord?(from: &reader) {
      timer = engine.clock.schedule(record, for: nil) { [self] in timeOut() }
    }
  }

  func store(in writer: inout StateWriter) {
    (observer != nil).store(in: &writer)
    work.store(in: &writer)
    (timer?.record ?? nil).store(in: &writer)
  }

  var world: any GraphWorld { engine.world }
  var environment: [String] { [] }
  /// A program that runs again is given nothing.
  var valueAgain: Payload? { nil }
  var isEffect: Bool { false }

  /// Begins its work, with the value that it is called with.
  func start(with value: Payload?) {
    if let timeout = declaration.timeout {
      timer = engine.clock.schedule(at: engine.clock.now + timeout) { [self] in timeOut() }
    }
    work.start(with: value, for: self)
  }

  /// Has a call that was written down go on.
  func goOn() { work.goOn(for: self) }

  /// Whether nobody waits for it any more, though its work may not have ended.
  var isCancelled: Bool { observer == nil }

  /// Ends its work; who called is not told.
  func cancel() {
    observer = nil
    dropTimer()
    work.terminate(for: self)
  }

  /// Its timer holds the call.
  private func dropTimer() {
    if let timer = timer.take() { engine.clock.cancel(timer) }
  }

  /// The action as it stands now: a reload may have removed it, and another one made it anew.
  private var action: RunningAction? { engine.actions[declaration.name] }

  // MARK: Outputs

  func report(_ failure: SignalFailure, value: JSONValue) {
    engine.turns.run { action?.report(failure, value: value) }
  }

  func put(_ value: Payload) {
    guard observer != nil else { return }
    engine.turns.run { action?.emit(value) }
    observer?(.next(value))
  }

  // MARK: The end

  /// The action stays busy until its work is over.
  private func timeOut() {
    timer = nil
    guard let observer else { return }
    self.observer = nil
    let timeout = DurationText.written(declaration.timeout ?? .zero)
    engine.turns.run {
      action?.emit(SignalFailure(code: "timeout", message: "no end within \(timeout)"), status: nil)
    }
    observer(.timedOut)
    work.terminate(for: self)
  }

  func finish(_ failure: SignalFailure?, status: Int32?) {
    guard !isGone else { return }
    isGone = true
    dropTimer()
    let observer = observer.take()
    engine.calls[declaration.name] = nil
    engine.turns.run {
      if let failure, observer != nil {
        action?.emit(SignalFailure(code: "failed", message: failure.message), status: status)
      }
      action?.tellState()
    }
    observer?(failure.map { .failed($0, status: status) } ?? .completed)
  }

  // MARK: A test in place of its work

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
