package import JSON
package import ReactiveCore

/// Every graph of a configuration, running on one thread, and the names under which signals are known.
///
/// It owns no thread and no timer: somebody calls `advance(to:)` when `nextDeadline` has come, and `send` when a
/// client sends. All consequences of a call are done when it returns.
package final class GraphRuntime {
  package internal(set) var configuration: Configuration
  /// In the order of the file.
  package internal(set) var signals: [RunningSignal] = []
  /// The signals of the daemon's own graph.
  package let own: OwnSignals
  /// Counts reloads, from 1.
  package internal(set) var generation: UInt64 = 1
  /// The actions, by their names.
  package var actions: [String: any CallableAction] = [:]
  /// Told of each value that an expression refused.
  package var onRefusal: (RefusedValue) -> Void = { _ in }
  /// Told of each signal that has ended by itself.
  package var onEnding: (RunningSignal) -> Void = { _ in }
  /// Told of all that a signal counts as lost.
  package var onLoss: (RunningSignal, Losses.Event) -> Void {
    get { engine.onLoss }
    set { engine.onLoss = newValue }
  }
  package var clock: GraphClock { engine.clock }
  /// How many turns there have been.
  package var turns: UInt64 { engine.turns.number }

  let engine: GraphEngine
  /// The settings that a running daemon cannot change are compared with these.
  package var started: ServerSettings
  var signalsByName: [String: RunningSignal] = [:]
  /// A number belongs to its name, also while a reload has removed the signal.
  var retired = RetiredNumbers()

  /// Builds every graph; nothing is emitted before `start`.
  ///
  /// - Parameters:
  ///   - now: The time at which the graphs' clock begins.
  ///   - wallOffset: Seconds since 1970 at the time 0 of that clock.
  ///   - standIns: The sources that a test or a simulation speaks for.
  ///   - mirrors: The signals that another runtime makes.
  ///   - keepsState: Whether it can be written down, to go on elsewhere.
  ///   - isResuming: Whether it goes on from a state; then nothing is built before `resume`.
  ///   - watch: Notes what happens; what is remembered can be looked at where it keeps its state.
  package init(
    _ configuration: Configuration, world: any GraphWorld, now: Instant, wallOffset: Double, standIns: StandIns = .none,
    mirrors: Mirrors = .none, keepsState: Bool = false, isResuming: Bool = false, watch: Watch? = nil
  ) {
    self.configuration = configuration
    started = configuration.server
    let clock = GraphClock(now: now, wallOffset: wallOffset)
    engine = GraphEngine(
      clock: clock, limits: configuration.server.limits, world: world, standIns: standIns,
      mirrors: mirrors, timeZones: configuration.timeZones, keepsState: keepsState, watch: watch)
    own = OwnSignals(engine)
    engine.find = { [unowned self] in signalsByName[$0] ?? own[$0] }
    engine.onRefusal = { [unowned self] refusal in
      own.publish(refusal)
      onRefusal(refusal)
    }
    engine.onEnding = { [unowned self] signal in
      own.publish(endOf: signal)
      onEnding(signal)
    }
    adoptSignals(of: configuration)
    if !isResuming { build(configuration.buildOrder) }
  }

  deinit { stop() }

  /// Takes all graphs down, without a word to the listeners: timers are dropped, programs are ended.
  package func stop() {
    engine.isOver = true
    for signal in signals { signal.observer = nil }
    for signal in signals.reversed() { signal.stop() }
  }

  package func signal(named name: String) -> RunningSignal? { signalsByName[name] ?? own[name] }

  /// How a signal came to its end, as a sentence: `a.next failed because a.fine failed: no value for 30s`.
  package func story(ofEndOf signal: RunningSignal) -> String {
    var text = ""
    var next: RunningSignal? = signal
    for _ in 0..<Self.longestStory {
      guard let signal = next, let end = signal.end else { break }
      text += "\(text.isEmpty ? "" : " because ")\(signal.name) \(end.ending.event)"
      next = end.cause.flatMap(self.signal)
    }
    if case .failed(let failure) = signal.ending { text += ": \(failure.message)" }
    return text
  }

  /// How many signals are named in the story of an end.
  private static let longestStory = 10

  /// Lets the first values of all graphs happen, as one turn, in the order of the file.
  package func start() { start(signals) }

  /// Has graphs that run already hear what mirrors have adopted.
  package func tellAdopted() {
    engine.turns.run { for signal in signals { signal.tellAdopted() } }
  }

  // MARK: Values and endings from outside

  /// Whether a value may be sent to a signal now.
  package func check(_ value: Payload, for signal: RunningSignal) throws(SendError) {
    try signal.openInlet().check(value)
  }

  /// The same of several.
  package func check(_ values: [Payload], for signal: RunningSignal) throws(SendError) {
    let inlet = try signal.openInlet()
    for value in values { try inlet.check(value) }
  }

  /// Whether a signal may be ended from outside now.
  package func checkEnd(of signal: RunningSignal) throws(SendError) {
    guard try signal.openInlet().isEndable else { throw .notEndable }
  }

  /// Sends one value as one turn.
  package func send(_ value: Payload, to signal: RunningSignal) throws(SendError) {
    if signal.isRelay { return engine.turns.runAlone { signal.receive(value) } }
    let inlet = try signal.openInlet()
    try inlet.check(value)
    try inlet.prepare(value)
    engine.turns.run { inlet.output.send(value: value) }
  }

  /// Sends several values, each as one turn; none if one of them does not fit.
  package func send(_ values: [Payload], to signal: RunningSignal) throws(SendError) {
    let inlet = try signal.openInlet()
    for value in values { try inlet.check(value) }
    for value in values where signal.ending == nil {
      try inlet.prepare(value)
      engine.turns.run { inlet.output.send(value: value) }
    }
  }

  /// Ends a signal that is declared endable.
  package func end(_ signal: RunningSignal, with ending: SignalEnding) throws(SendError) {
    let inlet = try signal.openInlet()
    guard inlet.isEndable else { throw .notEndable }
    engine.turns.run { inlet.output.end(with: ending) }
  }

  // MARK: Listeners

  /// Somebody listens from now on: a lazy signal begins to run with the first one.
  package func attach(to signal: RunningSignal) {
    signal.arrive()
    wake(signal)
  }

  /// Has a lazy signal run that somebody has begun to listen to; while signals are being replaced it begins with them.
  package func wake(_ signal: RunningSignal) {
    guard signal.isLazy, !engine.isReplacing else { return }
    engine.turns.runOrJoin {
      signal.build()
      signal.start()
    }
  }

  /// Somebody who was attached does not listen any more.
  ///
  /// In the middle of a turn it counts at its end: what a turn makes is whole.
  package func detach(from signal: RunningSignal) {
    if engine.turns.isRunning { engine.turns.atTurnEnd { signal.leave() } } else { signal.leave() }
  }

  /// Starts a run of a cold signal, for one subscriber.
  ///
  /// - Parameters:
  ///   - sequence: The number after which the run begins to count.
  ///   - observer: Told of each event, also of those that happen at once.
  /// - Returns: The run, a signal by itself with a number of its own; `stop` ends it.
  package func startRun(
    of signal: RunningSignal, after sequence: UInt64 = 0, observer: @escaping (SignalEvent) -> Void
  ) -> ColdRun {
    let run = ColdRun(of: signal, after: sequence, observer: observer)
    signal.add(run)
    if !engine.isReplacing { engine.turns.runOrJoin { run.begin() } }
    return run
  }

  // MARK: Time

  /// When the next timer is due.
  package var nextDeadline: Instant? { clock.nextDeadline }

  /// Moves the graphs' time on and runs the timers that are due, each as a turn.
  package func advance(to now: Instant) {
    clock.move(to: now, stepping: false)
    clock.runDueTimers()
  }
}

extension RunningSignal {
  /// Where it takes values from outside.
  func openInlet() throws(SendError) -> Inlet {
    if ending != nil, declaration.body.source.takesValues { throw .ended }
    guard let inlet else { throw .notAnInput(kind: kind) }
    guard ending == nil else { throw .ended }
    return inlet
  }
}
