import JSON
import ReactiveCore

/// One try of a call that a pipe makes, from its start until its program is gone.
final class PipedCall {
  private let action: String
  private let identity: CallIdentity
  private let context: OperatorContext
  private let output: StreamObserver
  /// Told of the exit status with which its program has failed.
  private let noteStatus: (Int32?) -> Void
  private let lines: Cell<ActionLines>
  private var timer: Alarm?
  private var parser: LineParser?
  private var timeout: Duration?
  private var run: (any RunningProgram)?
  private var isGone = false
  /// Starts it once it may.
  var waiting: (() -> Void)?
  /// Called when its program is gone.
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
    lines = context.cell(ActionLines())
    let timer = Alarm(context) { [unowned self] _, _ in timeOut() }
    self.timer = timer
    context.body.onEnd { [self] in stop() }
  }

  private var engine: GraphEngine { context.engine }

  /// The action as it stands now, which a reload may change.
  private var running: RunningAction? { engine.actions[action] }

  /// - Parameter isKnown: Whether it is one that ran already, of which the state was written down and read in between.
  func start(in world: any GraphWorld, isKnown: Bool) {
    let declaration = context.action(named: action).declaration
    parser = LineParser(declaration.format)
    timeout = declaration.timeout
    if let timeout, timer?.isSet == false { timer?.set(at: context.clock.now + timeout) }
    if !context.body.isRestored { engine.onCall(action, identity.input) }
    engine.pipedCalls[action, default: []].append(self)
    // The action's signals remember one that was under way, but for those in another runtime, which began anew.
    if !context.body.isRestored { running?.tell(.began) } else if !isKnown { engine.mirrors.onNews(action, .began) }
    let program = Program(
      declaration.command.words, input: identity.input.json + [UInt8(ascii: "\n")], environment: environment,
      owner: action, isEffect: true)
    run = world.start(program) { [self] event in
      switch event {
      case .output(let bytes):
        if let parser { for outcome in lines.value.append(bytes, parser, engine.limits) { take(outcome) } }
      case .ended(let end):
        if let parser { for outcome in lines.value.finish(parser, engine.limits) { take(outcome) } }
        finish(end.failure(of: program) ?? lines.value.fault, status: end.status)
      }
    }
  }

  private var environment: [String] {
    [
      "SIGNALBOX_SIGNAL=\(context.signal.name)", "SIGNALBOX_SEQ=\(identity.number)",
      "SIGNALBOX_MESSAGE_ID=\(identity.message)",
    ]
  }

  /// Nobody waits for it any more: its program is ended.
  private func stop() {
    timer?.dispose()
    timer = nil
    if waiting != nil {
      waiting = nil
      onGone()
    }
    run?.terminate()
  }

  // MARK: Outputs

  private func take(_ outcome: ActionLines.Outcome) {
    guard !context.body.hasEnded else { return }
    switch outcome {
    case .value(let value): put(value)
    case .refused(let failure, let line): engine.turns.run { running?.report(failure, value: line) }
    }
  }

  private func put(_ value: Payload) {
    engine.turns.run {
      running?.tell(.output(value))
      output.send(value: value)
    }
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

  private func finish(_ failure: SignalFailure?, status: Int32?) {
    guard !isGone else { return }
    isGone = true
    run = nil
    engine.pipedCalls[action]?.removeAll { $0 === self }
    let isHeard = !context.body.hasEnded
    // The next one begins with the turn that ends this one, or at once.
    let failure = failure.map { SignalFailure(code: "failed", message: $0.message) }
    if isHeard {
      engine.turns.run {
        if let failure {
          noteStatus(status)
          running?.tell(.failed(failure, status: status))
          output.send(error: failure)
        } else {
          output.sendCompleted()
        }
      }
    }
    onGone()
    running?.tell(.over)
  }

  // MARK: A test in place of the program

  func receive(_ value: Payload) { put(value) }

  func receive(_ ending: SignalEnding) {
    let before = run
    switch ending {
    case .completed: finish(lines.value.fault, status: 0)
    case .failed(let failure): finish(failure, status: nil)
    case .interrupted: finish(nil, status: nil)
    }
    before?.terminate()
  }
}
