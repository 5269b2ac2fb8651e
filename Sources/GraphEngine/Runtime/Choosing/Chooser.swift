package import GraphModel
package import JSON
package import Signals

/// A stream whose values choose other signals to run; it emits their events.
///
/// Its completion is delayed while a chosen signal runs: until then its input can be restarted, and chooses again.
/// Runs, and those that wait, are saved as the values that chose them.
package final class Chooser: KeptMemory, StateFields {
  /// The rule for which chosen signals are observed, as in the core's `FlattenStrategy`.
  package enum Strategy {
    /// The latest one, in place of its predecessor.
    case latest
    /// This many at a time; others wait.
    case concurrent(Int)
    /// One; those chosen while it runs are ignored.
    case first
    /// All until one emits an event, then only that one.
    case race
  }

  /// A chosen signal that runs.
  private typealias Chosen = SeededRuns.SeededRun

  private let strategy: Strategy
  private let choice: (Payload, StreamObserver) -> Recipe?
  private let output: StreamObserver
  private let running = SeededRuns()
  private var waiting: Waiting<Payload>
  /// The runs that do not count as long as they stand aside.
  private let aside: ChosenAside?
  /// True once a `race` has a winner.
  private var hasWinner = false
  /// True once nothing more will be chosen.
  private var hasCompleted = false
  private var isOver = false

  private init(
    _ strategy: Strategy, _ waiting: Waiting<Payload>, _ aside: ChosenAside?, _ output: StreamObserver,
    _ choice: @escaping (Payload, StreamObserver) -> Recipe?
  ) {
    self.strategy = strategy
    self.waiting = waiting
    self.aside = aside
    self.output = output
    self.choice = choice
    aside?.onChange = { [unowned self] in startNext() }
    keep()
  }

  /// Returns the values of the signals that `choice` finds for the values of `input`, as `strategy` selects them.
  package static func stream(
    of input: RestartableInput, in signal: RunningSignal, _ strategy: Strategy, _ waiting: Waiting<Payload>,
    aside: ChosenAside? = nil, _ choice: @escaping (Payload, StreamObserver) -> Recipe?
  ) -> Stream {
    Stream { output, lifetime in
      let chooser = Chooser(strategy, waiting, aside, output, choice)
      lifetime.observeEnded { chooser.stop() }
      chooser.resume()
      let subscription = UpstreamSubscription(input, in: signal, lifetime) { chooser.take($0) }
      subscription.onRestart = { chooser.hasCompleted = false }
      subscription.begin()
    }
  }

  // MARK: Input

  private func take(_ event: Stream.Event) {
    switch event {
    case .value(let seed): admit(seed)
    case .completed:
      hasCompleted = true
      completeIfDone()
    case .failed, .interrupted: output.send(event)
    }
  }

  private func admit(_ seed: Payload) {
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
    guard case .concurrent(let limit) = strategy else { return false }
    guard let aside else { return running.all.count < limit }
    return running.all.count - aside.count < limit && running.all.count < limit + aside.most
  }

  /// Starts waiting signals up to the limit.
  ///
  /// A run that ends during its start leaves the next one to this loop.
  private func startNext() {
    while !isOver, hasRoom, let seed = waiting.popFirst() {
      if let recipe = choice(seed, output) { start(recipe, for: seed) }
    }
  }

  private func start(_ recipe: Recipe, for seed: Payload, kept: StateDecoder? = nil) {
    guard !isOver else { return }
    running.start(recipe, for: seed, kept: kept) { chosen in
      StreamObserver(
        value: { [unowned self] in receive($0, from: chosen) }, ending: { [unowned self] in end($0, of: chosen) })
    }
  }

  // MARK: Events of the chosen signals

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

  /// Returns true if its events are emitted; the first event wins a race.
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
    aside?.onChange = {}
    running.removeAll()
  }

  // MARK: Saving

  package func code(_ field: inout StateCoder<Chooser>) throws(StateError) {
    try field(&hasWinner)
    try field(&hasCompleted)
    try field(&waiting)
    try field(running)
  }

  /// Resumes the runs of the saved state.
  private func resume() {
    running.resume { seed, kept in
      if let recipe = choice(seed, output) { start(recipe, for: seed, kept: kept) }
    }
  }
}
