import Base
import GraphModel
import JSON
import Signals

/// One call of an action, from its start until its program has exited or its method has returned.
final class ActionCall: WorkingCall {
  private let declaration: ActionDeclaration
  let engine: GraphEngine
  private let work: any CallWork
  /// The caller's observer; `nil` once the end was delivered or the call was cancelled.
  private var observer: ((RunEvent) -> Void)?
  private var timer: GraphTimer?
  private var isGone = false

  init(of declaration: ActionDeclaration, engine: GraphEngine, _ observer: @escaping (RunEvent) -> Void) {
    self.declaration = declaration
    self.engine = engine
    work = declaration.task.work(of: declaration.name)
    self.observer = observer
  }

  /// Restores a saved call, without its caller; its work does not resume yet.
  init(of declaration: ActionDeclaration, engine: GraphEngine, from reader: inout StateDecoder) throws(StateError) {
    self.declaration = declaration
    self.engine = engine
    work = declaration.task.work(of: declaration.name)
    observer = try Bool(from: &reader) ? { _ in } : nil
    try work.restore(from: &reader)
    if let record = try TimerRecord?(from: &reader) {
      timer = engine.clock.schedule(record, for: nil) { [self] in timeOut() }
    }
  }

  func encode(to writer: inout StateEncoder) {
    (observer != nil).encode(to: &writer)
    work.encode(to: &writer)
    (timer?.record ?? nil).encode(to: &writer)
  }

  var world: any GraphWorld { engine.world }
  var environment: [String] { [] }
  /// No value: a restarted program gets no input.
  var valueAgain: Payload? { nil }
  var isEffect: Bool { false }
  /// A client's call is made once.
  private(set) lazy var key = CallKey.key(of: "\(declaration.name)-\(engine.clock.microseconds)-\(engine.nextRun())")
  var attempt: Int { 1 }
  var timeout: Duration? { declaration.timeout }

  /// Starts its work with the value of the call.
  func start(with value: Payload?) {
    if let timeout = declaration.timeout {
      timer = engine.clock.schedule(at: engine.clock.now + timeout) { [self] in timeOut() }
    }
    work.start(with: value, for: self)
  }

  /// Resumes the work of a saved call.
  func resume() { work.resume(for: self) }

  /// True if no caller waits for it any more, even if its work has not ended.
  var isCancelled: Bool { observer == nil }

  /// Terminates its work; the caller receives nothing more.
  func cancel() {
    observer = nil
    dropTimer()
    work.terminate(for: self)
  }

  /// Terminates its work together with all graphs; its end has no effect.
  func abandon() {
    isGone = true
    cancel()
  }

  /// Cancels the timer, which retains the call.
  private func dropTimer() {
    if let timer = timer.take() { engine.clock.cancel(timer) }
  }

  /// The action as currently declared: a reload may have removed it, and another may have added it again.
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

  /// Reports the timeout; the action stays busy until its work has ended.
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
    let outcome = failure.map { SignalFailure(code: "failed", message: $0.message) }
    finish(failure, effect: outcome, status: status)
  }

  func finish(_ failure: SignalFailure, status: Int32?, _ advice: RetryAdvice) {
    finish(failure, effect: failure, status: status)
  }

  private func finish(_ failure: SignalFailure?, effect outcome: SignalFailure?, status: Int32?) {
    guard !isGone else { return }
    isGone = true
    dropTimer()
    let observer = observer.take()
    engine.calls[declaration.name] = nil
    engine.turns.run {
      if let outcome, observer != nil { action?.emit(outcome, status: status) }
      action?.reportState()
    }
    observer?(failure.map { .failed($0, status: status) } ?? .completed)
  }

  // MARK: Test input in place of its work

  func receive(_ value: Payload) { put(value) }

  func receive(_ ending: SignalEnding, status: Int32?) {
    switch ending {
    case .completed: finish(nil, status: 0)
    case .failed(let failure):
      if declaration.task.keepsCodes {
        finish(failure, effect: failure, status: status)
      } else {
        finish(failure, status: status)
      }
    case .interrupted:
      observer = nil
      finish(nil, status: nil)
    }
  }
}
