package import GraphModel
import JSON
package import Signals

/// Streams in sequence, where the ending of each one determines what follows; the first is number 0.
///
/// A stream starts only when its predecessor has released its resources. A loop starts them, so that any number of runs
/// that end at once takes no depth of the stack.
package final class Succession: KeptMemory {
  /// The consequence of an ending.
  package enum Verdict {
    /// The next run.
    case next
    /// The next run after a delay.
    case later(Duration)
    /// The next run once a signal that is started for that emits a value; its ending is that of all.
    case ask(Recipe)
    /// The end of the sequence.
    case end(Ending<SignalFailure>)
  }

  /// Called before each value of a run.
  package var onValue: (() -> Void)?
  private let context: OperatorContext
  private let output: StreamObserver
  /// The greatest number of a stream.
  private let limit: Int
  private let recipe: (_ number: Int) -> Recipe
  private let verdict: (_ number: Int, Ending<SignalFailure>) -> Verdict
  /// The number of streams that have ended.
  private var number = 0
  private var run: RecipeRun?
  /// The signal that decides whether to continue, and the ending that it decides about.
  private var question: (run: RecipeRun, reason: Ending<SignalFailure>)?
  private var alarm: Alarm?
  private var ended: Ending<SignalFailure>?
  private var isAdvancing = false
  private var isOver = false
  private var kept: (run: StateDecoder?, question: (run: StateDecoder, reason: SignalEnding)?) = (nil, nil)
  private var isRestored = false

  /// - Parameters:
  ///   - limit: The greatest number of a stream.
  ///   - recipe: Returns the run of a number.
  ///   - verdict: Returns the consequence of the ending of a number.
  package init(
    _ context: OperatorContext, _ output: StreamObserver, _ lifetime: Lifetime, limit: Int = .max,
    recipe: @escaping (Int) -> Recipe, verdict: @escaping (Int, Ending<SignalFailure>) -> Verdict
  ) {
    self.context = context
    self.output = output
    self.limit = limit
    self.recipe = recipe
    self.verdict = verdict
    keep()
    alarm = Alarm(context) { [unowned self] _, _ in carryOut { start() } }
    lifetime.observeEnded { self.stop() }
  }

  /// Returns a stream that is followed by another one after the endings that `follows` accepts.
  package static func stream(
    _ context: OperatorContext, _ first: Stream, then second: Recipe,
    when follows: @escaping (Ending<SignalFailure>) -> Bool
  ) -> Stream {
    Stream { output, lifetime in
      let succession = Succession(context, output, lifetime) { _ in
        second
      } verdict: { number, ending in
        number == 0 && follows(ending) ? .next : .end(ending)
      }
      succession.begin(with: first, lifetime)
    }
  }

  /// True while it waits for the time of the next run.
  var isPausing: Bool {
    isRestored ? number > 0 && kept.run == nil && kept.question == nil : number > 0 && run == nil && question == nil
  }

  /// Begins with an existing stream.
  package func begin(with first: Stream, _ lifetime: Lifetime) {
    if isRestored, number > 0 { return resume() }
    lifetime += first.observe(
      StreamObserver(value: { self.output.send(value: $0) }, ending: { ending in self.advance(after: ending) }))
  }

  /// Begins with a run, after a delay if one is given.
  package func begin(after delay: Duration? = nil) {
    if isRestored { return resume() }
    if let delay { alarm?.set(at: context.clock.now + delay) } else { carryOut { start() } }
  }

  // MARK: Advancing

  private func start(kept: StateDecoder? = nil) {
    let run = RecipeRun()
    self.run = run
    run.start(
      recipe(number), kept: kept,
      StreamObserver(
        value: { [unowned self] in
          onValue?()
          output.send(value: $0)
        }, ending: { [unowned self] in advance(after: $0) }))
  }

  /// Handles an ending, after any action in progress.
  func advance(after ending: Ending<SignalFailure>) {
    ended = ending
    if !isAdvancing { carryOut {} }
  }

  /// Runs an action, and then handles the endings that it leads to.
  private func carryOut(_ action: () -> Void) {
    isAdvancing = true
    action()
    while !isOver, let ending = ended.take() {
      run = nil
      let verdict = verdict(number, ending)
      number += 1
      switch verdict {
      case .next: start()
      case .later(let delay): alarm?.set(at: context.clock.now + delay)
      case .ask(let recipe): ask(recipe, about: ending)
      case .end(let ending): output.end(with: SignalEnding(ending))
      }
    }
    isAdvancing = false
  }

  private func stop() {
    isOver = true
    alarm?.dispose()
    run?.stop()
    question?.run.stop()
    question = nil
  }

  // MARK: Asking

  private func ask(_ recipe: Recipe, about reason: Ending<SignalFailure>, kept: StateDecoder? = nil) {
    let run = RecipeRun()
    question = (run, reason)
    run.start(
      recipe, kept: kept,
      StreamObserver(value: { [unowned self] _ in answer() }, ending: { [unowned self] in answer($0) }))
  }

  /// Starts the next run in a turn of its own, so that runs without a pause are bounded.
  private func answer() {
    guard let (run, reason) = question else { return }
    question = nil
    run.stop()
    let chase = context.turns.enqueue(to: context.signal.name) { [self] in
      if !isOver { carryOut { start() } }
    }
    guard chase != nil else { return }
    context.signal.drop(
      past: "more than \(context.limits.chain) turns from one cause: retry (limits.chain)", in: context.operatorName)
    output.end(with: SignalEnding(reason))
  }

  private func answer(_ ending: Ending<SignalFailure>) {
    guard question != nil else { return }
    question = nil
    output.end(with: SignalEnding(ending))
  }

  // MARK: Saving

  package func encode(to writer: inout StateEncoder) {
    number.encode(to: &writer)
    (run != nil).encode(to: &writer)
    run?.encode(to: &writer)
    (question.map { SignalEnding($0.reason) }).encode(to: &writer)
    question?.run.encode(to: &writer)
  }

  package func restore(from reader: inout StateDecoder) throws(StateError) {
    isRestored = true
    number = try Int(from: &reader)
    if try Bool(from: &reader) { kept.run = try reader.part() }
    guard number >= 0, kept.run == nil || number <= limit else { throw StateError("unknown running stream") }
    if let reason = try SignalEnding?(from: &reader) { kept.question = (try reader.part(), reason) }
  }

  private func resume() {
    if let run = kept.run { start(kept: run) }
    if let (run, reason) = kept.question, case .ask(let recipe) = verdict(number - 1, Ending(reason)) {
      ask(recipe, about: Ending(reason), kept: run)
    }
    kept = (nil, nil)
  }
}
