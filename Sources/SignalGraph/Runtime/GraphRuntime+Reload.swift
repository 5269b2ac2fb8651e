// How the configuration is replaced between two turns.

extension GraphRuntime {
  /// Replaces the configuration: what did not change, and hangs on nothing that did, goes on; the rest starts afresh.
  ///
  /// - Parameter attach: Called once the new signals exist and before their first values.
  package func reload(
    _ new: Configuration, attach: (_ added: [RunningSignal], _ removed: [RunningSignal]) -> Void
  ) -> ReloadVerdict {
    generation += 1
    let changes = ConfigurationChanges(from: configuration, to: new, running: started, generation: generation)
    let before = signalsByName
    let stopped = configuration.buildOrder.filter { !changes.kept.contains($0.name) }
    for declaration in stopped.reversed() { before[declaration.name]?.stop() }
    configuration = new
    engine.limits = new.server.limits
    for name in changes.verdict.removed { retiredSequences[name] = before[name]?.sequence }
    adoptSignals(of: new)
    for declaration in stopped { signalsByName[declaration.name]?.reset() }
    attach(
      changes.verdict.added.compactMap { signalsByName[$0] }, changes.verdict.removed.compactMap { before[$0] })
    build(new.buildOrder.filter { !changes.kept.contains($0.name) })
    start(signals.filter { !changes.kept.contains($0.name) })
    own.publish(changes.verdict)
    return changes.verdict
  }

  /// Starts signals anew, and with them what is computed from them; their numbers go on.
  ///
  /// - Parameter attach: Called with those that had ended, before the first values.
  package func restart(_ names: [String], attach: ([RunningSignal]) -> Void = { _ in }) {
    var restarted = Set(names)
    for declaration in configuration.buildOrder where declaration.upstream.contains(where: restarted.contains) {
      restarted.insert(declaration.name)
    }
    let again = configuration.buildOrder.filter { restarted.contains($0.name) }
    let ended = signals.filter { restarted.contains($0.name) && $0.ending != nil }
    for declaration in again.reversed() { signalsByName[declaration.name]?.stop() }
    for signal in signals where restarted.contains(signal.name) { signal.reset() }
    attach(ended)
    build(again)
    start(signals.filter { restarted.contains($0.name) })
  }

  /// Makes the signals of a configuration known, keeping those that were known under the same name.
  func adoptSignals(of configuration: Configuration) {
    signals = configuration.graphs.flatMap(\.signals).enumerated().map { position, declaration in
      let signal = known(declaration)
      signal.apply(declaration)
      signal.position = UInt32(position)
      return signal
    }
    signalsByName = Dictionary(uniqueKeysWithValues: signals.map { ($0.name, $0) })
    adoptActions(of: configuration)
  }

  private func adoptActions(of configuration: Configuration) {
    let before = engine.actions
    engine.actions = [:]
    for declaration in configuration.graphs.flatMap(\.actions) {
      let action = before[declaration.name] ?? RunningAction(declaration, engine: engine)
      action.apply(declaration)
      engine.actions[declaration.name] = action
    }
    actions = engine.actions
  }

  private func known(_ declaration: SignalDeclaration) -> RunningSignal {
    if let signal = signalsByName[declaration.name] { return signal }
    let sequence = retiredSequences.removeValue(forKey: declaration.name) ?? 0
    return RunningSignal(declaration, sequence: sequence, engine: engine)
  }

  /// Builds signals, each behind everything that it is computed from.
  ///
  /// What was built before never hangs on what is built now, so that the new ones rank above all others.
  func build(_ declarations: [SignalDeclaration]) {
    for declaration in declarations {
      guard let signal = signalsByName[declaration.name] else { continue }
      lastOrder += 1
      signal.order = lastOrder
      signal.build()
    }
  }

  /// Lets first values happen, as one turn, in the order of the file.
  func start(_ signals: [RunningSignal]) {
    engine.turns.run {
      for signal in signals { signal.start() }
    }
  }
}
