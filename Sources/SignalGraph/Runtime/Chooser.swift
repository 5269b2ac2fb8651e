import JSON
import ReactiveCore

/// A stream whose values choose other signals to run, of which it emits what they emit.
///
/// Its completion is held back while one of those goes on, as their signal does: until then it can be started anew, and
/// chooses again. Runs, and those that wait, are saved as the values that have chosen them.
final class Chooser: KeptMemory {
  /// Which of the signals that were chosen are listened to; as the core's `FlattenStrategy` has it.
  enum Strategy {
    /// The latest one, in place of the one before.
    case latest
    /// This many at the same time; others wait for their turn.
    case concurrent(Int)
    /// One, and none that is chosen while it goes on.
    case first
    /// All until one says something, and then that one for good.
    case race
  }

  /// A signal that was chosen and runs.
  private typealias Chosen = SeededRuns.SeededRun

  private let strategy: Strategy
  private let choice: (Payload, StreamObserver) -> Recipe?
  private let output: StreamObserver
  private let running = SeededRuns()
  private var waiting: Waiting<Payload>
  /// With `race`, whether one has said something.
  private var hasWinner = false
  /// Whether nothing more is going to be chosen.
  private var hasCompleted = false
  private var isOver = false

  private init(
    _ strategy: Strategy, _ waiting: Waiting<Payload>, _ output: StreamObserver,
    _ choice: @escaping (Payload, StreamObserver) -> Recipe?
  ) {
    self.strategy = strategy
    self.waiting = waiting
    self.output = output
    self.choice = choice
    keep()
  }

  /// The values of the signals that `choice` finds for the values of `input`, of those that `strategy` listens to.
  static func stream(
    of input: RenewableInput, in signal: RunningSignal, _ strategy: Strategy, _ waiting: Waiting<Payload>,
    _ choice: @escaping (Payload, StreamObserver) -> Recipe?
  ) -> Stream {
    Stream { output, lifetime in
      let chooser = Chooser(strategy, waiting, output, choice)
      lifetime.observeEnded { chooser.stop() }
      chooser.resume()
      let hearing = Hearing(input, in: signal, lifetime) { chooser.take($0) }
      hearing.onRenewal = { chooser.hasCompleted = false }
      hearing.begin()
    }
  }

  // MARK: What comes

  private func take(_ event: Stream.Event) {
    switch event {
    case .value(let seed): arrive(seed)
    case .completed:
      hasCompleted = true
      completeIfDone()
    case .failed, .interrupted: output.send(event)
    }
  }

  private func arrive(_ seed: Payload) {
    switch strategy {
    case .concurrent:
      do throws(SignalFailure) {
        try waiting.append(seed, hasRoom: hasRoom)
        startNext()
      } catch {
        output.send(error: error)
      }
    case .latest:
      guard let recipe = choice(seed, output) else { return }
      running.removeAll()
      start(recipe, for: seed)
    case .first:
      if let recipe = choice(seed, output), running.all.isEmpty { start(recipe, for: seed) }
    case .race:
      if let recipe = choice(seed, output), !hasWinner { start(recipe, for: seed) }
    }
  }

  private var hasRoom: Bool {
    if case .concurrent(let limit) = strategy { running.all.count < limit } else { false }
  }

  /// Starts those that wait, as far as there is room.
  ///
  /// A run may end at once: then its ending leaves it to this loop to go on.
  private func startNext() {
    while !isOver, hasRoom, let seed = waiting.popFirst() {
      if let recipe = choice(seed, output) { start(recipe, for: seed) }
    }
  }

  private func start(_ recipe: Recipe, for seed: Payload, kept: StateReader? = nil) {
    guard !isOver else { return }
    running.start(recipe, for: seed, kept: kept) { chosen in
      StreamObserver(
        value: { [unowned self] in receive($0, from: chosen) }, ending: { [unowned self] in end($0, of: chosen) })
    }
  }

  // MARK: What the chosen say

  private func receive(_ value: Payload, from chosen: Chosen) {
    if wins(chosen) { output.send(value: value) }
  }

  private func end(_ ending: Ending<SignalFailure>, of chosen: Chosen) {
    guard wins(chosen) else { return }
    running.remove(chosen)
    switch (ending, strategy) {
    case (.failed, _), (.interrupted, .race), (.interrupted, .first): output.end(with: SignalEnding(ending))
    default:
      if !chosen.isStarting { startNext() }
      completeIfDone()
    }
  }

  /// Whether it is listened to: the first to say something wins a race.
  private func wins(_ chosen: Chosen) -> Bool {
    guard case .race = strategy, !hasWinner else { return true }
    hasWinner = true
    running.removeAll(but: chosen)
    return true
  }

  private func completeIfDone() {
    if hasCompleted, running.all.isEmpty, waiting.isEmpty { output.sendCompleted() }
  }

  private func stop() {
    isOver = true
    running.removeAll()
  }

  // MARK: Saving

  func store(in writer: inout StateWriter) {
    hasWinner.store(in: &writer)
    hasCompleted.store(in: &writer)
    waiting.store(in: &writer)
    running.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    hasWinner = try Bool(from: &reader)
    hasCompleted = try Bool(from: &reader)
    try waiting.restore(from: &reader)
    try running.restore(from: &reader)
  }

  /// Has the runs of the saved state go on.
  private func resume() {
    running.resume { seed, kept in
      if let recipe = choice(seed, output) { start(recipe, for: seed, kept: kept) }
    }
  }
}
