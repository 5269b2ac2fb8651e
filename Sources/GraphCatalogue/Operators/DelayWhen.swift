import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let delayWhen = OperatorDeclaration(
    "delay_when", "Holds each value until a signal started for it, which sees it as $value, emits or completes.",
    Parameter<SignalReference>("signal", "the signal that a value waits for", .only, variables: ["value"]),
    dependence: .memory,
    example: OperatorExample("delay_when: {timer: 2s}", in: "1-2-|", out: "--1-(2|)")
  ) { input, context, reference in
    let input = context.gated(input, before: reference)
    return Stream { output, lifetime in
      let holding = Holding(output) { context.recipe(of: reference, seeing: $0.value) }
      lifetime.observeEnded { holding.stop() }
      holding.resume()
      lifetime += input.observe(StreamObserver(value: { holding.take($0) }, ending: { holding.end($0) }))
    }
  }
  .alsoKnown(as: "delayWhen")
}

/// Values that are held until a signal started for each of them emits or ends.
private final class Holding: KeptMemory, StateFields {
  private let output: StreamObserver
  private let trigger: (Payload) -> Recipe
  private let held = SeededRuns()
  private var hasCompleted = false

  init(_ output: StreamObserver, _ trigger: @escaping (Payload) -> Recipe) {
    self.output = output
    self.trigger = trigger
    keep()
  }

  func take(_ payload: Payload) {
    guard held.all.count < defaultWaiting else {
      return output.send(error: .overflow(defaultWaiting, in: "delay_when"))
    }
    hold(payload)
  }

  func end(_ ending: Ending<SignalFailure>) {
    guard case .completed = ending else { return output.end(with: SignalEnding(ending)) }
    hasCompleted = true
    completeIfDone()
  }

  private func hold(_ payload: Payload, kept: StateDecoder? = nil) {
    held.start(trigger(payload), for: payload, kept: kept) { run in
      StreamObserver(
        value: { [unowned self] _ in release(run, after: .completed) },
        ending: { [unowned self] in release(run, after: $0) })
    }
  }

  /// Releases a value after its trigger has ended; the value of an interrupted trigger is dropped.
  private func release(_ run: SeededRuns.SeededRun, after ending: Ending<SignalFailure>) {
    held.remove(run)
    switch ending {
    case .failed: return output.end(with: SignalEnding(ending))
    case .completed: output.send(value: run.seed)
    case .interrupted: break
    }
    completeIfDone()
  }

  private func completeIfDone() {
    if hasCompleted, held.all.isEmpty { output.sendCompleted() }
  }

  func stop() { held.removeAll() }

  func code(_ field: inout StateCoder<Holding>) throws(StateError) {
    try field(&hasCompleted)
    try field(held)
  }

  /// Resumes holding the values of the saved state.
  func resume() { held.resume { hold($0, kept: $1) } }
}
