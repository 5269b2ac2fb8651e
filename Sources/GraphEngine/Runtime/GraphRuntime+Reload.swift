package import GraphModel

// Replacing the configuration between two turns.

/// The signals that a reload replaces, once the old ones are stopped and before the new ones begin.
package struct Replacement {
  /// The signals that start fresh under their names, in the order of the file: changed, added or restarted ones.
  package let fresh: [RunningSignal]
  /// The removed signals.
  package var removed: [RunningSignal] = []
}

extension GraphRuntime {
  /// Replaces the configuration: unchanged signals that depend on nothing changed keep running, the rest starts fresh.
  ///
  /// - Parameter attach: Called before first values, to add and remove subscribers.
  @discardableResult
  package func reload(_ new: Configuration, attach: (Replacement) -> Void) -> ConfigurationChanges {
    let changes = ConfigurationChanges(from: configuration, to: new, running: started, generation: generation + 1)
    reload(new, as: changes, attach: attach)
    return changes
  }

  /// Replaces the configuration according to changes that cover more than this runtime.
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
    if engine.timeZones != new.timeZones || engine.location != new.server.location {
      engine.timeZones = new.timeZones
      engine.location = new.server.location
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
    own.publish(changes.published)
  }

  /// Restarts signals that have ended, and the ended ones computed from them; their sequence numbers continue.
  ///
  /// A dependent that still runs keeps its state, and resubscribes where it joins them with others.
  ///
  /// - Parameter attach: Called before first values, to add subscribers.
  package func restart(_ names: [String], attach: (Replacement) -> Void = { _ in }) {
    restartSignals(restartSet(of: names), attach: attach)
  }

  /// Restarts these signals and no others; those that join them resubscribe.
  package func restartSignals(_ restarted: Set<String>, attach: (Replacement) -> Void = { _ in }) {
    let fresh = signals.filter { restarted.contains($0.name) }
    engine.isReplacing = true
    for declaration in configuration.buildOrder.reversed() where restarted.contains(declaration.name) {
      signalsByName[declaration.name]?.stop()
    }
    for signal in fresh { signal.reset() }
    attach(Replacement(fresh: fresh))
    begin(heardAgain(restarted))
  }

  /// Returns the signals of these names, and those computed from them that have ended.
  package func restartSet(of names: [String]) -> Set<String> {
    var restarted = Set(names)
    var reached = restarted
    for declaration in configuration.buildOrder where declaration.upstream.contains(where: reached.contains) {
      reached.insert(declaration.name)
      if signalsByName[declaration.name]?.ending != nil { restarted.insert(declaration.name) }
    }
    return restarted
  }

  /// Returns the signals of these names, and all computed from them here except mirrors, whose originals keep running.
  package func replacement(of names: Set<String>) -> Set<String> {
    var replaced = names
    for declaration in configuration.buildOrder where declaration.upstream.contains(where: replaced.contains) {
      if signalsByName[declaration.name]?.isMirror == false { replaced.insert(declaration.name) }
    }
    return replaced
  }

  /// Returns the names that dependents resubscribe to: the restarted signals, and the cold ones computed from them.
  private func heardAgain(_ restarted: Set<String>) -> Set<String> {
    var names = restarted
    for declaration in configuration.buildOrder
    where declaration.traits.run == .cold && declaration.upstream.contains(where: names.contains) {
      names.insert(declaration.name)
    }
    return names
  }

  /// Builds and starts the signals that should run, and stops those no longer needed.
  ///
  /// - Parameter observed: The signals that dependents resubscribe to.
  private func begin(_ observed: Set<String> = []) {
    build(configuration.buildOrder)
    start(signals.map { ($0, observed.isEmpty ? [] : $0.resubscribe(observed)) })
    for signal in signals { signal.beginRuns() }
    engine.isReplacing = false
    for declaration in configuration.buildOrder.reversed() { signalsByName[declaration.name]?.rest() }
  }

  /// Registers the signals of a configuration, keeping those already known by name.
  func adoptSignals(of configuration: Configuration) {
    signals = configuration.graphs.flatMap(\.signals).enumerated().map { position, declaration in
      let signal = known(declaration)
      let wasMirror = signal.isMirror
      signal.apply(declaration)
      if signal.isMirror != wasMirror { keepNumber(of: signal) }
      signal.position = UInt32(position)
      return signal
    }
    signalsByName = Dictionary(uniqueKeysWithValues: signals.map { ($0.name, $0) })
    adoptOrder(of: configuration)
    adoptActions(of: configuration)
  }

  /// Sorts signals into the order of the file, those that keep running included.
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

  /// Retires the number of a signal that becomes a mirror, since it then counts as its original does, in another epoch;
  /// restores it when the signal is no mirror any more.
  private func keepNumber(of signal: RunningSignal) {
    if signal.isMirror {
      retired.retire(signal.name, at: signal.sequence)
    } else {
      signal.skipNumbers(to: retired.take(signal.name))
    }
  }

  private func known(_ declaration: SignalDeclaration) -> RunningSignal {
    if let signal = signalsByName[declaration.name] { return signal }
    let signal = RunningSignal(declaration, sequence: 0, engine: engine)
    // A mirror adopts its original's numbers; its own stays retired.
    if !signal.isMirror { signal.skipNumbers(to: retired.take(declaration.name)) }
    return signal
  }

  /// Builds signals, each after everything that it is computed from.
  func build(_ declarations: [SignalDeclaration]) {
    for declaration in declarations { signalsByName[declaration.name]?.build() }
  }

  /// Emits first values as one turn, in the order of the file.
  func start(_ signals: [RunningSignal]) { start(signals.map { ($0, []) }) }

  /// Emits first values as one turn, those of parts of running signals included.
  private func start(_ signals: [(RunningSignal, parts: [RunningBody])]) {
    engine.turns.run(isLimited: false) {
      for (signal, parts) in signals {
        signal.start()
        for part in parts { part.start() }
      }
    }
  }
}
