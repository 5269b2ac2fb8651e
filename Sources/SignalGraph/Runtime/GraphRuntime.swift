package import JSON
package import ReactiveCore

/// Every graph of a configuration, running on one thread, and the names under which signals are known.
///
/// It owns no thread and no timer: somebody calls `advance(to:)` when `nextDeadline` has come, and `send` when a
/// client sends. What a call causes is done when it returns.
package final class GraphRuntime {
  package private(set) var configuration: Configuration
  /// In the order of the file.
  package private(set) var signals: [RunningSignal] = []
  /// Counts reloads, from 1.
  package private(set) var generation: UInt64 = 1
  /// Told of each value that an expression refused.
  package var onRefusal: (RefusedValue) -> Void = { _ in }
  package let clock: GraphClock

  private let world: any GraphWorld
  private let standIns: StandIns
  /// What a running daemon cannot change is compared with this.
  private let started: ServerSettings
  private var signalsByName: [String: RunningSignal] = [:]
  private var graphs: [String: RunningGraph] = [:]
  /// The last numbers of signals that a reload removed: a number belongs to its name.
  private var retiredSequences: [String: UInt64] = [:]

  /// Builds every graph; nothing is emitted before `start`.
  ///
  /// - Parameters:
  ///   - now: The time at which the graphs' clock begins.
  ///   - epoch: Seconds since 1970 at the time 0 of that clock.
  ///   - standIns: The sources that a test or a simulation speaks for.
  package init(
    _ configuration: Configuration, world: any GraphWorld, now: Instant, epoch: Double, standIns: StandIns = .none
  ) {
    self.configuration = configuration
    self.standIns = standIns
    started = configuration.server
    self.world = world
    clock = GraphClock(now: now, epoch: epoch)
    adoptSignals(of: configuration)
    for graph in configuration.graphs { build(graph) }
  }

  package func signal(named name: String) -> RunningSignal? { signalsByName[name] }

  /// Lets the first values of all graphs happen.
  package func start() {
    for graph in configuration.graphs { graphs[graph.name]?.start() }
  }

  // MARK: Values and endings from outside

  /// Sends one value as one turn.
  package func send(_ value: Payload, to signal: RunningSignal) throws(SendError) {
    let inlet = try inlet(of: signal)
    try check(value, for: inlet)
    turns(of: signal).run { inlet.output.send(value: value) }
  }

  /// Sends several values, each as one turn; none if one of them does not fit.
  package func send(_ values: [Payload], to signal: RunningSignal) throws(SendError) {
    let inlet = try inlet(of: signal)
    for value in values { try check(value, for: inlet) }
    for value in values where signal.ending == nil {
      turns(of: signal).run { inlet.output.send(value: value) }
    }
  }

  /// Ends a signal that is declared endable.
  package func end(_ signal: RunningSignal, with ending: SignalEnding) throws(SendError) {
    let inlet = try inlet(of: signal)
    guard inlet.isEndable else { throw .notEndable }
    turns(of: signal).run { inlet.output.end(with: ending) }
  }

  private func inlet(of signal: RunningSignal) throws(SendError) -> Inlet {
    guard let inlet = signal.inlet else { throw .notAnInput(kind: signal.kind) }
    guard signal.ending == nil else { throw .ended }
    return inlet
  }

  private func check(_ value: Payload, for inlet: Inlet) throws(SendError) {
    guard inlet.type.accepts(value) else {
      throw .badValue(expected: inlet.type.withArticle, found: value.typeWithArticle)
    }
  }

  private func turns(of signal: RunningSignal) -> Turns {
    guard let turns = signal.turns else { preconditionFailure("\(signal.name) belongs to no graph") }
    return turns
  }

  // MARK: Time

  /// When the next timer is due.
  package var nextDeadline: Instant? { clock.nextDeadline }

  /// Moves the graphs' time on and runs the timers that are due, each as a turn.
  package func advance(to now: Instant) {
    clock.move(to: now, stepping: false)
    clock.runDueTimers()
  }

  // MARK: Reload

  /// Replaces the configuration between two turns: graphs that did not change go on, the others start afresh.
  ///
  /// - Parameter attach: Called once the new signals exist and before their first values.
  package func reload(
    _ new: Configuration, attach: (_ added: [RunningSignal], _ removed: [RunningSignal]) -> Void
  ) -> ReloadVerdict {
    generation += 1
    let changes = ConfigurationChanges(from: configuration, to: new, running: started, generation: generation)
    let before = signalsByName
    for name in changes.stopped { graphs.removeValue(forKey: name)?.stop() }
    configuration = new
    adoptSignals(of: new)
    for name in changes.verdict.changed { signalsByName[name]?.reset() }
    for name in changes.verdict.removed { retiredSequences[name] = before[name]?.sequence }
    for graph in graphs.values { graph.limits = new.server.limits }
    attach(
      changes.verdict.added.compactMap { signalsByName[$0] }, changes.verdict.removed.compactMap { before[$0] })
    for graph in new.graphs where graphs[graph.name] == nil { build(graph) }
    for name in changes.started { graphs[name]?.start() }
    return changes.verdict
  }

  /// Makes the signals of a configuration known, keeping those that were known under the same name.
  private func adoptSignals(of configuration: Configuration) {
    signals = configuration.graphs.flatMap(\.signals).map { declaration in
      let signal =
        signalsByName[declaration.name] ?? RunningSignal(declaration, sequence: retiredSequences[declaration.name] ?? 0)
      signal.apply(declaration)
      return signal
    }
    signalsByName = Dictionary(uniqueKeysWithValues: signals.map { ($0.name, $0) })
  }

  private func build(_ declaration: GraphDeclaration) {
    graphs[declaration.name] = RunningGraph(
      declaration, signals: signalsByName, clock: clock, world: world, limits: configuration.server.limits,
      standIns: standIns
    ) { [unowned self] refusal in onRefusal(refusal) }
  }
}
