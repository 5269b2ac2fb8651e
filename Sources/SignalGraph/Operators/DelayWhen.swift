import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let delayWhen = OperatorDeclaration(
    "delay_when", "Holds each value until a signal started for it, which sees it as $value, emits or completes.",
    Parameter<SignalReference>("signal", "the signal that a value waits for", .only, variables: ["value"]),
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
}

/// Values that are held, each until a signal that was started for it says something.
private final class Holding: KeptMemory {
  private final class Held {
    let payload: Payload
    let run = RecipeRun()

    init(_ payload: Payload) { self.payload = payload }
  }

  private let output: StreamObserver
  private let trigger: (Payload) -> Recipe
  private var held: [Held] = []
  private var hasCompleted = false
  private var kept: [(payload: Payload, run: StateReader)] = []

  init(_ output: StreamObserver, _ trigger: @escaping (Payload) -> Recipe) {
    self.output = output
    self.trigger = trigger
    keep()
  }

  func take(_ payload: Payload) {
    guard held.count < defaultWaiting else { return output.send(error: .overflow(defaultWaiting, in: "delay_when")) }
    hold(payload)
  }

  func end(_ ending: Ending<SignalFailure>) {
    guard case .completed = ending else { return output.end(with: SignalEnding(ending)) }
    hasCompleted = true
    completeIfDone()
  }

  private func hold(_ payload: Payload, kept: StateReader? = nil) {
    let held = Held(payload)
    self.held.append(held)
    held.run.start(
      trigger(payload), kept: kept,
      StreamObserver(
        value: { [unowned self] _ in release(held, after: .completed) },
        ending: { [unowned self] in release(held, after: $0) }))
  }

  /// However the trigger ends, the value is held no more; one whose trigger was interrupted is dropped.
  private func release(_ held: Held, after ending: Ending<SignalFailure>) {
    held.run.stop()
    self.held.removeAll { $0 === held }
    switch ending {
    case .failed: return output.end(with: SignalEnding(ending))
    case .completed: output.send(value: held.payload)
    case .interrupted: break
    }
    completeIfDone()
  }

  private func completeIfDone() {
    if hasCompleted, held.isEmpty { output.sendCompleted() }
  }

  func stop() {
    for held in held { held.run.stop() }
    held = []
  }

  func store(in writer: inout StateWriter) {
    hasCompleted.store(in: &writer)
    writer.count(held.count)
    for held in held {
      held.payload.store(in: &writer)
      held.run.store(in: &writer)
    }
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    hasCompleted = try Bool(from: &reader)
    for _ in 0..<(try reader.count()) { kept.append((try Payload(from: &reader), try reader.part())) }
  }

  /// Has those be held that were when it was written down.
  func resume() {
    for (payload, run) in kept { hold(payload, kept: run) }
    kept = []
  }
}
