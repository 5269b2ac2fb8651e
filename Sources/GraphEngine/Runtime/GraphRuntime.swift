package import GraphModel
package import JSON
package import Signals

/// All graphs of a configuration, running on one thread, and the signals by name.
///
/// It owns no thread and no timer: its owner calls `advance(to:)` at `nextDeadline`, and `send` when a client sends.
/// All effects of a call are complete when it returns.
package final class GraphRuntime {
  package internal(set) var configuration: Configuration
  /// The signals in the order of the file.
  package internal(set) var signals: [RunningSignal] = []
  /// The signals of the daemon's own graph.
  package let own: OwnSignals
  /// The number of the present configuration, from 1; each reload increments it.
  package internal(set) var generation: UInt64 = 1
  /// The actions by name.
  package var actions: [String: any CallableAction] = [:]
  /// Called for each value that an expression refused.
  package var onRefusal: (RefusedValue) -> Void = { _ in }
  /// Called for each signal that has ended by itself.
  package var onEnding: (RunningSignal) -> Void = { _ in }
  /// Called for each loss that a signal counts.
  package var onLoss: (RunningSignal, Losses.Event) -> Void {
    get { engine.onLoss }
    set { engine.onLoss = newValue }
  }
  /// Called for a durable signal that keeps its newest value from now on.
  package var onHolding: (RunningSignal) -> Void {
    get { engine.onHolding }
    set { engine.onHolding = newValue }
  }
  /// Called for each key of a `group_by` whose pipe has ended, in a signal with a metric.
  package var onKeyEnd: (RunningSignal, EmittingKey) -> Void {
    get { engine.onKeyEnd }
    set { engine.onKeyEnd = newValue }
  }
  package var clock: GraphClock { engine.clock }
  /// The rules that the graphs follow in processing their inputs.
  package var rules: GraphRules {
    get { engine.rules }
    set { engine.rules = newValue }
  }
  /// The number of turns so far.
  package var turns: UInt64 { engine.turns.number }
  /// The series of all metrics.
  package var series: SeriesLedger { engine.series }

  package let engine: GraphEngine
  /// The settings at the daemon's start, compared with new ones to find those that need a restart.
  package var started: ServerSettings
  var signalsByName: [String: RunningSignal] = [:]
  /// The last numbers of removed signals: a number belongs to its name even while the signal is gone.
  var retired = RetiredNumbers()

  /// Builds every graph; nothing is emitted before `start`.
  ///
  /// - Parameters:
  ///   - now: The initial time of the graphs' clock.
  ///   - wallOffset: Seconds since 1970 at the time 0 of that clock.
  ///   - standIns: The sources that a test or a simulation stands in for.
  ///   - mirrors: The signals that another runtime computes.
  ///   - keepsState: True if the state can be saved, to resume elsewhere.
  ///   - isResuming: True to resume from a state; nothing is built before `resume` then.
  ///   - recorder: Records events; with `keepsState`, memories can be inspected as well.
  package init(
    _ configuration: Configuration, world: any GraphWorld, now: Instant, wallOffset: Double, standIns: StandIns = .none,
    mirrors: Mirrors = .none, keepsState: Bool = false, isResuming: Bool = false, recorder: (any GraphWatch)? = nil
  ) {
    self.configuration = configuration
    started = configuration.server
    let clock = GraphClock(now: now, wallOffset: wallOffset)
    engine = GraphEngine(
      clock: clock, limits: configuration.server.limits, world: world, standIns: standIns,
      mirrors: mirrors, timeZones: configuration.timeZones, location: configuration.server.location,
      keepsState: keepsState, readsText: configuration.readsText, recorder: recorder)
    own = OwnSignals(engine)
    // Until `deinit`; a weak reference would slow down every other one.
    engine.find = { [unowned self] in signal(named: $0) }
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

  deinit {
    // Signals that outlive the runtime, or are stopped with it, may still call these.
    engine.find = { _ in nil }
    engine.onRefusal = { _ in }
    engine.onEnding = { _ in }
    stop()
  }

  /// Stops all graphs without notifying subscribers: timers are cancelled, programs are terminated.
  package func stop() {
    engine.isOver = true
    for signal in signals { signal.observer = nil }
    for signal in signals.reversed() { signal.stop() }
    for call in engine.calls.values { call.abandon() }
    engine.calls = [:]
  }

  package func signal(named name: String) -> RunningSignal? { signalsByName[name] ?? own[name] }

  /// Returns the causes of a signal's end as a sentence: `a.next failed because a.fine failed: no value for 30s`.
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

  /// The greatest number of signals named as causes.
  private static let longestStory = 10

  /// Emits the first values of all graphs as one turn, in the order of the file.
  package func start() { start(signals) }

  /// Delivers the values that mirrors have adopted to graphs that run already.
  package func deliverAdopted() {
    engine.turns.run(isLimited: false) { for signal in signals { signal.deliverAdopted() } }
  }

  /// Limits the time of turns (`limits.turn_time`) by a clock.
  ///
  /// - Parameters:
  ///   - interval: The evaluations and values between two readings of the clock.
  ///   - onCut: Called when a turn has taken too long.
  package func limitTurns(
    by clock: @escaping () -> Instant, interval: Int = 32, onCut: @escaping (TurnCut) -> Void = { _ in }
  ) {
    (engine.turns.timer.clock, engine.turns.timer.interval) = (clock, interval)
    engine.turns.timer.onCut = onCut
  }

  /// Begins with an input, whose turns end where they were cut before, if anywhere.
  package func beginInput(repeating cuts: [TurnCut]) { engine.turns.timer.beginInput(cuts) }

  // MARK: Values and endings from outside

  /// Throws if a value may not be sent to a signal now.
  package func check(_ value: Payload, for signal: RunningSignal) throws(SendError) {
    try signal.openInlet().check(value)
  }

  /// Throws if one of several values may not be sent to a signal now.
  package func check(_ values: [Payload], for signal: RunningSignal) throws(SendError) {
    try signal.openInlet().check(values)
  }

  /// Throws if a signal may not be ended from outside now.
  package func checkEnd(of signal: RunningSignal) throws(SendError) {
    guard try signal.openInlet().isEndable else { throw .notEndable }
  }

  /// Sends one value as one turn.
  package func send(_ value: Payload, to signal: RunningSignal) throws(SendError) {
    if signal.isRelay { return engine.turns.runAlone { signal.receive(value) } }
    let inlet = try signal.openInlet()
    if !inlet.isOpen {
      try inlet.checkType(of: value)
      try inlet.prepare(value)
    }
    engine.turns.run { inlet.output.send(value: value) }
  }

  /// Sends several values, each as one turn; none if one of them is not of the declared type.
  ///
  /// A value that is refused for another reason, which `check` finds before, ends the list: logs of earlier versions have
  /// such lists.
  ///
  /// - Parameter taken: The number of values before the refused one.
  package func send(_ values: [Payload], to signal: RunningSignal, taken: inout Int) throws(SendError) {
    let inlet = try signal.openInlet()
    try inlet.checkTypes(of: values)
    for value in values where signal.ending == nil {
      try inlet.prepare(value)
      taken += 1
      engine.turns.run { inlet.output.send(value: value) }
    }
  }

  /// Ends a signal that is declared endable.
  package func end(_ signal: RunningSignal, with ending: SignalEnding) throws(SendError) {
    let inlet = try signal.openInlet()
    guard inlet.isEndable else { throw .notEndable }
    engine.turns.run { inlet.output.end(with: ending) }
  }

  // MARK: Subscribers

  /// Adds a subscriber; a lazy signal starts with the first one.
  package func attach(to signal: RunningSignal) {
    signal.addSubscriber()
    wake(signal)
  }

  /// Starts a lazy signal that has gained a subscriber; during a replacement it starts with the others.
  package func wake(_ signal: RunningSignal) {
    guard signal.isLazy, !engine.isReplacing else { return }
    engine.turns.runOrJoin {
      signal.build()
      signal.start()
    }
  }

  /// Removes a subscriber.
  ///
  /// During a turn this takes effect at its end, so that the turn's output is complete.
  package func detach(from signal: RunningSignal) {
    if engine.turns.isRunning {
      engine.turns.atTurnEnd { signal.removeSubscriber() }
    } else {
      signal.removeSubscriber()
    }
  }

  /// Starts a run of a cold signal, for one subscriber.
  ///
  /// - Parameters:
  ///   - sequence: The number after which the run begins to count.
  ///   - observer: Receives each event, including those emitted at once.
  /// - Returns: The run, with a number of its own; `stop` ends it.
  package func startRun(
    of signal: RunningSignal, after sequence: UInt64 = 0, observer: @escaping (SignalEvent) -> Void
  ) -> ColdRun {
    let run = ColdRun(of: signal, after: sequence, observer: observer)
    signal.add(run)
    if !engine.isReplacing { engine.turns.runOrJoin { run.begin() } }
    return run
  }

  // MARK: Time

  /// The due time of the next timer.
  package var nextDeadline: Instant? { clock.nextDeadline }

  /// Advances the graphs' time and runs the timers that are due, each as a turn.
  package func advance(to now: Instant) {
    clock.move(to: now, stepping: false)
    clock.runDueTimers()
  }
}

extension RunningSignal {
  /// Returns the inlet for values from outside; throws if there is none or the signal has ended.
  func openInlet() throws(SendError) -> Inlet {
    if ending != nil, declaration.body.source.takesValues { throw .ended }
    guard let inlet else { throw .notAnInput(kind: kind) }
    guard ending == nil else { throw .ended }
    return inlet
  }
}
