package import GraphModel
package import JSON
import Signals

/// The calls of one `call` in a pipe.
///
/// Each is a run of its own, saved with its value; the operator's strategy starts and stops it.
package final class PipedCalls {
  private let action: String
  private let context: OperatorContext
  private let input: GraphExpression?
  private let retry: CallRetry?
  /// True if programs may run concurrently.
  private let areConcurrent: Bool
  /// The number of calls so far.
  private let count: Cell<UInt64>
  /// The tries whose programs have not exited, and the one that waits for them.
  private var unfinished: [ObjectIdentifier: PipedCall] = [:]
  private var next: PipedCall?

  /// The input for values that are given up.
  private let deadLetters: TargetBinding?
  package let backlog: CallBacklog
  /// The calls that wait for another attempt, where others do not wait behind them.
  package var aside: ChosenAside?

  package init(
    of action: String, in context: OperatorContext, with input: GraphExpression?, _ retry: CallRetry?,
    _ deadLetter: DeadLetterReference?, areConcurrent: Bool
  ) {
    self.action = action
    self.context = context
    self.input = input
    self.retry = retry
    self.areConcurrent = areConcurrent
    count = context.cell(0)
    deadLetters = deadLetter.map {
      TargetBinding(to: $0.name, context, StreamObserver(value: { _ in }, ending: { _ in }))
    }
    backlog = CallBacklog(signal: context.signal.name, target: .action(action), context.engine)
    context.body.onEnd { [backlog] in backlog.close() }
  }

  /// Returns the run that calls the action for a value.
  package func recipe(for value: Payload) -> Recipe {
    context.body.recipe(at: context.place) { [self] body in
      let outputs = stream(for: value, in: context.with(body))
      // The outputs of a call are attributed to the value that it was made for.
      return context.engine.recorder?.tap(outputs, at: context.place.index, of: body) ?? outputs
    }
  }

  /// Returns the outputs of a call and of its retries; a failure refuses the value.
  private func stream(for value: Payload, in context: OperatorContext) -> Stream {
    let identity = context.cell(CallIdentity())
    var failure: CallFailure?
    return Stream { [self] output, lifetime in
      let refusing = StreamObserver(
        value: { output.send(value: $0) },
        ending: { [self] ending in
          guard case .failed(let reason) = ending else { return output.end(with: SignalEnding(ending)) }
          context.refuse(reason, status: failure?.status, value: value.value, output)
          deadLetters?.send(
            .value(["value": value.value, "error": reason.value(status: failure?.status)]))
          output.sendCompleted()
        })
      let pauses = retry.map { $0.progress(in: context) }
      var attempts: Succession?
      let tries = Succession(context, refusing, lifetime) { [self] number in
        if let attempts { aside?.leave(attempts) }
        return context.body.recipe(at: context.place) { body in
          failure = nil
          return self.stream(of: identity.value, attempt: number + 1, in: context.with(body)) {
            failure = $0
            self.backlog.note($0)
          }
        }
      } verdict: { [self] _, ending in
        guard case .failed(let reason) = ending else {
          if case .completed = ending { backlog.noteSuccess() }
          return .end(ending)
        }
        let failure = failure ?? CallFailure(reason, status: nil)
        guard retry?.covers(failure) == true, let pause = pauses?.pauseAfterFailure() else { return .end(ending) }
        let wait = max(pause, failure.advice?.pause ?? .zero)
        guard wait > .zero else { return .next }
        if let attempts { aside?.step(attempts) }
        return .later(wait)
      }
      attempts = tries
      lifetime.observeEnded { [self] in
        backlog.end(tries)
        aside?.leave(tries)
        attempts = nil
      }
      if context.body.isRestored {
        backlog.begin(tries, at: identity.value.time ?? context.clock.microseconds)
        if tries.isPausing { aside?.resume(tries) }
        return tries.begin()
      }
      context.onStart { [self] in
        guard let input = self.input(for: value, context, output) else { return output.sendCompleted() }
        count.value += 1
        identity.value = CallIdentity(number: count.value, in: context, input)
        backlog.begin(tries, at: context.clock.microseconds)
        tries.begin()
      }
    }
  }

  private func input(for value: Payload, _ context: OperatorContext, _ output: StreamObserver) -> Payload? {
    guard let input else { return value }
    return context.evaluator(of: input).first(of: value, refusingTo: output).map { .value($0) }
  }

  /// Returns the outputs of one try.
  private func stream(
    of identity: CallIdentity, attempt: Int, in context: OperatorContext,
    noting note: @escaping (CallFailure) -> Void
  ) -> Stream {
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let call = PipedCall(
      of: action, identity, attempt: attempt, in: context, to: output, noting: note)
    context.onAttach { [self] world, attachment in
      let begin = { call.start(in: world, isKnown: attachment == .same) }
      if areConcurrent { return begin() }
      enter(call, begin)
    }
    return stream
  }

  // MARK: Sequential calls

  /// Starts a try once the programs of earlier ones have exited, which may take them some time.
  private func enter(_ call: PipedCall, _ begin: @escaping () -> Void) {
    // The program may exit long after the signal has ended.
    call.onGone = { [weak self, weak call] in if let call { self?.remove(call) } }
    call.waiting = begin
    next = call
    resume()
  }

  private func remove(_ call: PipedCall) {
    unfinished[ObjectIdentifier(call)] = nil
    if next === call { next = nil }
    resume()
  }

  private func resume() {
    guard unfinished.isEmpty, let call = next.take() else { return }
    unfinished[ObjectIdentifier(call)] = call
    call.waiting.take()?()
  }
}

extension CallRetry {
  fileprivate func progress(in context: OperatorContext) -> RetryProgress {
    RetryProgress(
      RetryPolicy(
        upTo: times ?? .max, interval: delay, backoff: backoff, maxInterval: longestDelay, resetAfter: nil,
        on: context.scheduler()))
  }
}

extension OperatorContext {
  /// Returns the context of this place in another body.
  fileprivate func with(_ body: RunningBody) -> OperatorContext {
    OperatorContext(body: body, step: step, onError: onError)
  }
}

extension SignalFailure {
  /// Returns `{code, message}`, with the exit status of a program if it had one.
  func value(status: Int32?) -> JSONValue {
    var value: JSONObject = ["code": .string(code), "message": .string(message)]
    if let status { value["status"] = .number(Double(status)) }
    return .object(value)
  }
}
