import JSON
import ReactiveCore

/// One try of a call that a pipe makes, from its start until its work is over.
final class PipedCall: WorkingCall {
  private let action: String
  private let identity: CallIdentity
  private let context: OperatorContext
  private let output: StreamObserver
  /// Told of the exit status with which its program has failed.
  private let noteStatus: (Int32?) -> Void
  private let work: KeptWork
  private var timer: Alarm?
  private var timeout: Duration?
  private(set) var world: any GraphWorld
  private var isAtWork = false
  private var isGone = false
  /// Starts it once it may.
  var waiting: (() -> Void)?
  /// Called when its work is over.
  var onGone: () -> Void = {}

  init(
    of action: String, _ identity: CallIdentity, in context: OperatorContext, to output: StreamObserver,
    noting status: @escaping (Int32?) -> Void
  ) {
    self.action = action
    self.identity = identity
    self.context = context
    self.output = output
    noteStatus = status
    world = context.world
    work = KeptWork(context.action(named: action).declaration)
    let timer = Alarm(context) { [unowned self] _, _ in timeOut() }
    self.timer = timer
    context.body.onEnd { [self] in stop() }
  }

  var engine: GraphEngine { context.engine }
  var valueAgain: Payload? { identity.input }
  var isEffect: Bool { true }

  var environment: [String] {
    [
      "SIGNALBOX_SIGNAL=\(context.signal.name)", "SIGNALBOX_SEQ=\(identity.number)",
      "SIGNALBOX_MESSAGE_ID=\(identity.message)",
    ]
  }

  /// The action as it stands now, which a reload may change.
  private var running: RunningAction? { engine.actions[action] }

  /// - Parameter isKnown: Whether it is one that ran already, of which the state was written down and read in between.
  func start(in world: any GraphWorld, isKnown: Bool) {
    self.world = world
    isAtWork = true
    engine.pipedCalls[action, default: []].append(self)
    // The action's signals remember one that was under way, but for those in another runtime, which began anew.
    if !context.body.isRestored { running?.tell(.began) } else if !isKnown { engine.mirrors.onNews(action, .began) }
    let begun = work.begin(context.action(named: action).declaration)
    timeout = begun.timeout
    if let timeout, timer?.isSet == false { timer?.set(at: context.clock.now + timeout) }
    if context.body.isRestored { return begun.work.goOn(for: self) }
    engine.onCall(action, identity.input)
    begun.work.start(with: identity.input, for: self)
  }

  /// Nobody waits for it any more: its work is ended.
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
      running?.tell(.output(value))
      output.send(value: value)
    }
  }

  func report(_ failure: SignalFailure, value: JSONValue) {
    guard !context.body.hasEnded else { return }
    engine.turns.run { running?.report(failure, value: value) }
  }

  // MARK: The end

  /// The action stays at work until its program is gone.
  private func timeOut() {
    let failure = SignalFailure(
      code: "timeout", message: "no end within \(DurationText.written(timeout ?? .zero))")
    noteStatus(nil)
    running?.tell(.failed(failure, status: nil))
    output.send(error: failure)
  }

  func finish(_ failure: SignalFailure?, status: Int32?) {
    guard !isGone else { return }
    isGone = true
    engine.pipedCalls[action]?.removeAll { $0 === self }
    if !context.body.hasEnded { tellEnd(failure, status) }
    // The next one begins before the action may say that nothing runs.
    onGone()
    running?.tell(.over)
  }

  private func tellEnd(_ failure: SignalFailure?, _ status: Int32?) {
    engine.turns.run {
      guard let failure else { return output.sendCompleted() }
      let told = SignalFailure(code: "failed", message: failure.message)
      noteStatus(status)
      running?.tell(.failed(told, status: status))
      output.send(error: told)
    }
  }

  // MARK: A test in place of the program

  func receive(_ value: Payload) { put(value) }

  func receive(_ ending: SignalEnding) {
    switch ending {
    case .completed: finish(nil, status: 0)
    case .failed(let failure): finish(failure, status: nil)
    case .interrupted: finish(nil, status: nil)
    }
    work.present?.terminate(for: self)
  }
}

/// The work of a try, saved with it; it is that of the action as it stands when the try begins.
private final class KeptWork: KeptMemory {
  private let declaration: ActionDeclaration
  private(set) var present: (any CallWork)?

  init(_ declaration: ActionDeclaration) {
    self.declaration = declaration
    keep()
  }

  /// - Returns: The saved work, or one that is to begin.
  func begin(_ declaration: ActionDeclaration) -> (work: any CallWork, timeout: Duration?) {
    let work = present ?? declaration.task.work(of: declaration.name)
    present = work
    return (work, declaration.timeout)
  }

  func store(in writer: inout StateWriter) {
    (present != nil).store(in: &writer)
    present?.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    guard try Bool(from: &reader) else { return }
    let work = declaration.task.work(of: declaration.name)
    try work.restore(from: &reader)
    present = work
  }
}
