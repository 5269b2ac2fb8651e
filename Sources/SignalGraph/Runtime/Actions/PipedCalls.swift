import JSON
import ReactiveCore

/// The calls of one `call` in a pipe.
///
/// Each is a run of its own, saved with its value, which the operator's strategy starts and stops.
final class PipedCalls {
  private let action: String
  private let context: OperatorContext
  private let input: GraphExpression?
  private let retry: CallRetry?
  /// Whether programs may run beside each other.
  private let areConcurrent: Bool
  /// How many calls there have been.
  private let count: Cell<UInt64>
  /// The tries whose programs are not gone, and the one that waits for that.
  private var unfinished: [ObjectIdentifier: PipedCall] = [:]
  private var next: PipedCall?

  init(
    of action: String, in context: OperatorContext, with input: GraphExpression?, _ retry: CallRetry?,
    areConcurrent: Bool
  ) {
    self.action = action
    self.context = context
    self.input = input
    self.retry = retry
    self.areConcurrent = areConcurrent
    count = context.cell(0)
  }

  /// The run that calls the action for a value.
  func recipe(for value: Payload) -> Recipe {
    context.body.recipe(at: context.place) { [self] body in stream(for: value, in: context.with(body)) }
  }

  /// The outputs of a call and of its further tries; a failure is the refusal of its value.
  private func stream(for value: Payload, in context: OperatorContext) -> Stream {
    let identity = context.cell(CallIdentity())
    var status: Int32?
    return Stream { [self] output, lifetime in
      let refusing = StreamObserver(
        value: { output.send(value: $0) },
        ending: { ending in
          guard case .failed(let failure) = ending else { return output.end(with: SignalEnding(ending)) }
          context.refuse(failure, status: status, value: value.value, output)
          output.sendCompleted()
        })
      let pauses = retry.map { $0.progress(in: context) }
      let tries = Succession(context, refusing, lifetime) { [self] _ in
        context.body.recipe(at: context.place) { body in
          status = nil
          return self.stream(of: identity.value, in: context.with(body)) { status = $0 }
        }
      } verdict: { _, ending in
        guard case .failed = ending, let pause = pauses?.pauseAfterFailure() else { return .end(ending) }
        return pause > .zero ? .later(pause) : .next
      }
      if context.body.isRestored { return tries.begin() }
      context.onStart { [self] in
        guard let input = self.input(for: value, context, output) else { return output.sendCompleted() }
        count.value += 1
        identity.value = CallIdentity(number: count.value, in: context, input)
        tries.begin()
      }
    }
  }

  private func input(for value: Payload, _ context: OperatorContext, _ output: StreamObserver) -> Payload? {
    guard let input else { return value }
    return context.evaluator(of: input).first(of: value, refusingTo: output).map { .value($0) }
  }

  /// The outputs of one try.
  private func stream(
    of identity: CallIdentity, in context: OperatorContext, noting status: @escaping (Int32?) -> Void
  ) -> Stream {
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let call = PipedCall(of: action, identity, in: context, to: output, noting: status)
    context.onAttach { [self] world, attachment in
      let begin = { call.start(in: world, isKnown: attachment == .same) }
      if areConcurrent { return begin() }
      enter(call, begin)
    }
    return stream
  }

  // MARK: One after another

  /// Starts a try once the programs of earlier ones are gone: one that was ended may take its time.
  private func enter(_ call: PipedCall, _ begin: @escaping () -> Void) {
    // Its program may be gone long after the signal.
    call.onGone = { [weak self, weak call] in if let call { self?.leave(call) } }
    call.waiting = begin
    next = call
    goOn()
  }

  private func leave(_ call: PipedCall) {
    unfinished[ObjectIdentifier(call)] = nil
    if next === call { next = nil }
    goOn()
  }

  private func goOn() {
    guard unfinished.isEmpty, let call = next.take() else { return }
    unfinished[ObjectIdentifier(call)] = call
    call.waiting.take()?()
  }
}

extension CallRetry {
  fileprivate func progress(in context: OperatorContext) -> RetryProgress {
    RetryProgress(
      RetryPolicy(
        upTo: times, interval: delay, backoff: factor, maxInterval: DurationText.longest, resetAfter: nil,
        on: context.scheduler()))
  }
}

extension OperatorContext {
  /// The same place in another body.
  fileprivate func with(_ body: RunningBody) -> OperatorContext {
    OperatorContext(body: body, step: step, onError: onError)
  }

  /// Reports a value whose call has failed, and does with it what the signal's `on_error` says.
  fileprivate func refuse(_ failure: SignalFailure, status: Int32?, value: JSONValue, _ output: StreamObserver) {
    engine.report(failure, of: operatorName, in: signal, value: value)
    switch onError {
    case .drop: break
    case .emit: output.send(value: .value(["error": failure.value(status: status)]))
    case .fail: output.send(error: failure)
    }
  }
}

extension SignalFailure {
  /// `{code, message}`, with the exit status of a program where it had one.
  func value(status: Int32?) -> JSONValue {
    var value: JSONObject = ["code": .string(code), "message": .string(message)]
    if let status { value["status"] = .number(Double(status)) }
    return .object(value)
  }
}
