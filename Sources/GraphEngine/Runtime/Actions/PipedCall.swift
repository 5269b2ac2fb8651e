import Base
import GraphModel
import JSON
import Signals

/// One try of a pipe's call, from its start until its work has ended.
final class PipedCall: WorkingCall {
  private let action: String
  private let identity: CallIdentity
  private let context: OperatorContext
  private let output: StreamObserver
  /// Counts the attempts of its call, from 1.
  let attempt: Int
  /// Told how it has failed.
  private let noteFailure: (CallFailure) -> Void
  private let work: KeptWork
  private var timer: Alarm?
  private(set) var timeout: Duration?
  private(set) var world: any GraphWorld
  private var isAtWork = false
  private var isGone = false
  /// Starts it, once that is allowed.
  var waiting: (() -> Void)?
  /// Called when its work has ended.
  var onGone: () -> Void = {}

  init(
    of action: String, _ identity: CallIdentity, attempt: Int, in context: OperatorContext, to output: StreamObserver,
    noting note: @escaping (CallFailure) -> Void
  ) {
    self.action = action
    self.identity = identity
    self.context = context
    self.output = output
    self.attempt = attempt
    noteFailure = note
    world = context.world
    work = KeptWork(context.action(named: action).declaration)
    let timer = Alarm(context) { [unowned self] _, _ in timeOut() }
    self.timer = timer
    context.body.onEnd { [self] in stop() }
  }

  var engine: GraphEngine { context.engine }
  var valueAgain: Payload? { identity.input }
  var isEffect: Bool { true }
  var key: String { CallKey.key(of: identity.message) }

  var environment: [String] {
    [
      "SIGNALBOX_SIGNAL=\(context.signal.name)", "SIGNALBOX_SEQ=\(identity.number)",
      "SIGNALBOX_MESSAGE_ID=\(identity.message)",
    ]
  }

  /// The action as currently declared, which a reload may change.
  private var running: RunningAction? { engine.actions[action] }

  /// - Parameter isKnown: True if it was running already when its state was saved and restored.
  func start(in world: any GraphWorld, isKnown: Bool) {
    self.world = world
    isAtWork = true
    engine.pipedCalls[action, default: []].append(self)
    // The action's restored signals know of a try that was under way; those in another runtime have restarted.
    if !context.body.isRestored {
      running?.emit(.began)
    } else if !isKnown {
      engine.mirrors.onActionEvent(action, .began)
    }
    let begun = work.begin(context.action(named: action).declaration)
    timeout = begun.timeout
    if let timeout, timer?.isSet == false { timer?.set(at: context.clock.now + timeout) }
    if context.body.isRestored { return begun.work.resume(for: self) }
    engine.onCall(action, identity.input)
    begun.work.start(with: identity.input, for: self)
  }

  /// Terminates its work, whose result is no longer needed.
  private func stop() {
    timer?.dispose()
    timer = nil
    if waiting != nil {
      waiting = nil
      onGone()
    }
    if isAtWork, !isGone { work.present?.terminate(for: self) }
  }

  // MARK: Outputs

  func put(_ value: Payload) {
    guard !context.body.hasEnded else { return }
    engine.turns.run {
      running?.emit(.output(value))
      output.send(value: value)
    }
  }

  func report(_ failure: SignalFailure, value: JSONValue) {
    guard !context.body.hasEnded else { return }
    engine.turns.run { running?.report(failure, value: value) }
  }

  // MARK: The end

  /// Fails the call; the action stays busy until its program has exited.
  private func timeOut() {
    let failure = SignalFailure(
      code: "timeout", message: "no end within \(DurationText.written(timeout ?? .zero))")
    noteFailure(CallFailure(failure, status: nil))
    running?.emit(.failed(failure, status: nil))
    output.send(error: failure)
  }

  func finish(_ failure: SignalFailure?, status: Int32?) {
    finish(failure.map { CallFailure(SignalFailure(code: "failed", message: $0.message), status: status) })
  }

  func finish(_ failure: SignalFailure, status: Int32?, _ advice: RetryAdvice) {
    finish(CallFailure(failure, status: status, advice))
  }

  private func finish(_ failure: CallFailure?) {
    guard !isGone else { return }
    isGone = true
    engine.pipedCalls[action]?.removeAll { $0 === self }
    if !context.body.hasEnded { deliverEnd(failure) }
    // The next try must begin before the action can report that nothing runs.
    onGone()
    running?.emit(.over)
  }

  private func deliverEnd(_ failure: CallFailure?) {
    engine.turns.run {
      guard let failure else { return output.sendCompleted() }
      noteFailure(failure)
      running?.emit(.failed(failure.failure, status: failure.status))
      output.send(error: failure.failure)
    }
  }

  // MARK: Test input in place of the program

  func receive(_ value: Payload) { put(value) }

  func receive(_ ending: SignalEnding, status: Int32?) {
    switch ending {
    case .completed: finish(nil, status: 0)
    case .failed(let failure):
      if context.action(named: action).declaration.task.keepsCodes {
        finish(CallFailure(failure, status: status))
      } else {
        finish(failure, status: status)
      }
    case .interrupted: finish(nil, status: nil)
    }
    work.present?.terminate(for: self)
  }
}

/// The work of a try, saved with it; it is made from the action's declaration at the beginning of the try.
private final class KeptWork: KeptMemory, StateFields {
  private let declaration: ActionDeclaration
  private(set) var present: (any CallWork)?

  init(_ declaration: ActionDeclaration) {
    self.declaration = declaration
    keep()
  }

  /// - Returns: The saved work, or work that has not begun.
  func begin(_ declaration: ActionDeclaration) -> (work: any CallWork, timeout: Duration?) {
    let work = present ?? declaration.task.work(of: declaration.name)
    present = work
    return (work, declaration.timeout)
  }

  func code(_ field: inout StateCoder<KeptWork>) throws(StateError) {
    guard try field({ $0.present != nil }) else { return }
    let work = present ?? declaration.task.work(of: declaration.name)
    try field(work)
    present = work
  }
}
