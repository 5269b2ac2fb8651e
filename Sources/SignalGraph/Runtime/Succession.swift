import JSON
import ReactiveCore

/// Streams one after the other, of which each one's ending decides what follows; the first is number 0.
///
/// A stream starts only when the one before has let its resources go. A loop starts them, so that any number of runs
/// that end at once takes no depth of the stack.
final class Succession: KeptMemory {
  /// The consequence of an ending.
  enum Verdict {
    /// The next run.
    case next
    /// The next run after a time.
    case later(Duration)
    /// The next run once a signal that is started for that says something; its ending is that of all.
    case ask(Recipe)
    /// Nothing.
    case end(Ending<SignalFailure>)
  }

  private let context: OperatorContext
  private let output: StreamObserver
  /// The greatest number of a stream.
  private let limit: Int
  private let recipe: (_ number: Int) -> Recipe
  private let verdict: (_ number: Int, Ending<SignalFailure>) -> Verdict
  /// How many have ended.
  private var number = 0
  private var run: RecipeRun?
  /// The signal that is asked whether to go on, and the ending for which.
  private var question: (run: RecipeRun, reason: Ending<SignalFailure>)?
  private var alarm: Alarm?
  private var ended: Ending<SignalFailure>?
  private var isAdvancing = false
  private var isOver = false
  private var kept: (run: StateReader?, question: (run: StateReader, reason: SignalEnding)?) = (nil, nil)
  private var isRestored = false

  /// - Parameters:
  ///   - limit: The greatest number of a stream.
  ///   - recipe: The run of each number.
  ///   - verdict: The consequence of the ending of each number.
  init(
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

  /// A stream that another one follows; `follows` says after which endings.
  static func stream(
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

  /// Begins with a stream that is there.
  func begin(with first: Stream, _ lifetime: Lifetime) {
    if isRestored, number > 0 { return resume() }
    lifetime += first.observe(
      StreamObserver(value: { self.output.send(value: $0) }, ending: { ending in self.advance(after: ending) }))
  }

  /// Begins with a run, after a time if one is given.
  func begin(after delay: Duration? = nil) {
    if isRestored { return resume() }
    if let delay { alarm?.set(at: context.clock.now + delay) } else { carryOut { start() } }
  }

  // MARK: Going on

  private func start(kept: StateReader? = nil) {
    let run = RecipeRun()
    self.run = run
    run.start(
      recipe(number), kept: kept,
      StreamObserver(
        value: { [unowned self] in output.send(value: $0) }, ending: { [unowned self] in advance(after: $0) }))
  }

  /// Does what an ending asks for; if something is being done, that is done before.
  func advance(after ending: Ending<SignalFailure>) {
    ended = ending
    if !isAdvancing { carryOut {} }
  }

  /// Does something, and then what the endings ask for that it leads to.
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

  private func ask(_ recipe: Recipe, about reason: Ending<SignalFailure>, kept: StateReader? = nil) {
    let run = RecipeRun()
    question = (run, reason)
    run.start(
      recipe, kept: kept,
      StreamObserver(value: { [unowned self] _ in answer() }, ending: { [unowned self] in answer($0) }))
  }

  /// A further run is a turn of its own, so that those without a pause have a bound.
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

  func store(in writer: inout StateWriter) {
    number.store(in: &writer)
    (run != nil).store(in: &writer)
    run?.store(in: &writer)
    (question.map { SignalEnding($0.reason) }).store(in: &writer)
    question?.run.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    isRestored = true
    number = try Int(from: &reader)
    if try Bool(from: &reader) { kept.run = try reader.part() }
    guard number >= 0, kept.run == nil || number <= limit else { throw StateError("a stream runs that there is not") }
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
