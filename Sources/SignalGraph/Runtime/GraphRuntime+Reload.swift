// How the configuration is replaced between two turns.

/// The signals that a reload replaces, once the old ones are down and before the new ones begin.
package struct Replacement {
  /// Signals that begin afresh under their names, in the order of the file: changed, added or restarted ones.
  package let fresh: [RunningSignal]
  /// Signals that are no more.
  package var removed: [RunningSignal] = []
}

extension GraphRuntime {
  /// Replaces the configuration: what did not change, and hangs on nothing that did, goes on; the rest starts afresh.
  ///
  /// - Parameter attach: Called before first values, to have those who listen come and go.
  @discardableResult
  package func reload(_ new: Configuration, attach: (Replacement) -> Void) -> ConfigurationChanges {
    let changes = ConfigurationChanges(from: configuration, to: new, running: started, generation: generation + 1)
    reload(new, as: changes, attach: attach)
    return changes
  }

  /// The same by a verdict on more than what runs here.
  package func reload(_ new: Configuration, as changes: ConfigurationChanges, attach: (Replacement) -> Void) {
    generation += 1
    engine.isReplacing = true
    let remaining = Set(new.buildOrder.map(\.name))
    let removed = signals.filter { !remaining.contains($0.name) }
    for declaration in configuration.buildOrder.reversed() where !changes.kept.contains(declaration.name) {
      signalsByName[declaration.name]?.stop()
    }
    configuration = new
    engine.limits = new.server.limits
    if engine.timeZones != new.timeZones {
      engine.timeZones = new.timeZones
      clock.recount()
    }
    for signal in removed { retired.retire(signal.name, at: signal.sequence) }
    adoptSignals(of: new)
    let fresh = signals.filter { !changes.kept.contains($0.name) }
    for signal in fresh {
      signal.reset()
      signal.adoptNumbers()
    }
    attach(Replacement(fresh: fresh, removed: removed))
    begin()
    own.publish(changes.told)
  }

  /// Starts signals that have ended anew, and what has ended of all that is computed from them; their numbers go on.
  ///
  /// A signal that still runs keeps its state, and hears them again where it joins them with others.
  ///
  /// - Parameter attach: Called before first values, so that listeners can come.
  package func restart(_ names: [String], attach: (Replacement) -> Void = { _ in }) {
    renew(renewal(of: names), attach: attach)
  }

  /// Starts these signals anew, and no others; those that join them hear them again.
  package func renew(_ renewed: Set<String>, attach: (Replacement) -> Void = { _ in }) {
    let fresh = signals.filter { renewed.contains($0.name) }
    engine.isReplacing = true
    for signal in fresh {
      signal.stop()
      signal.reset()
    }
    attach(Replacement(fresh: fresh))
    begin(heardAgain(renewed))
  }

  /// The signals of these names, and those computed from them that have ended.
  package func renewal(of names: [String]) -> Set<String> {
    var renewed = Set(names)
    var reached = renewed
    for declaration in configuration.buildOrder where declaration.upstream.contains(where: reached.contains) {
      reached.insert(declaration.name)
      if signalsByName[declaration.name]?.ending != nil { renewed.insert(declaration.name) }
    }
    return renewed
  }

  /// The names by which others hear signals again: their own, and those of the cold ones that are computed from them.
  private func heardAgain(_ renewed: Set<String>) -> Set<String> {
    var names = renewed
    for declaration in configuration.buildOrder
    where declaration.traits.run == .cold && declaration.upstream.contains(where: names.contains) {
      names.insert(declaration.name)
    }
    return names
  }

  /// Builds and starts what is to run now and does not, and stops what nobody needs any more.
  ///
  /// - Parameter heard: The signals that others hear again.
  private func begin(_ heard: Set<String> = []) {
    build(configuration.buildOrder)
    start(signals.map { ($0, heard.isEmpty ? [] : $0.rejoin(heard)) })
    for signal in signals { signal.beginRuns() }
    engine.isReplacing = false
    for declaration in configuration.buildOrder.reversed() { signalsByName[declaration.name]?.rest() }
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
    adoptOrder(of: configuration)
    adoptActions(of: configuration)
  }

  /// Has signals stand in the order of the file, those too that go on.
  private func adoptOrder(of configuration: Configuration) {
    for (order, declaration) in configuration.buildOrder.enumerated() {
      signalsByName[declaration.name]?.order = UInt32(order + 1)
    }
    for signal in signals + own.all { signal.sortDependents() }
    clock.reorder()
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
    return RunningSignal(declaration, sequence: retired.take(declaration.name), engine: engine)
  }

  /// Builds signals, each behind everything that it is computed from.
  func build(_ declarations: [SignalDeclaration]) {
    for declaration in declarations { signalsByName[declaration.name]?.build() }
  }

  /// Lets first values happen, as one turn, in the order of the file.
  func start(_ signals: [RunningSignal]) { start(signals.map { ($0, []) }) }

  /// The same, with parts of signals that go on.
  private func start(_ signals: [(RunningSignal, parts: [RunningBody])]) {
    engine.turns.run {
      for (signal, parts) in signals {
        signal.start()
        for part in parts { part.start() }
      }
    }
  }
}
