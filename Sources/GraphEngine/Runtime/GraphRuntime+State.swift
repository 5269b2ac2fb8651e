package import GraphModel
package import Signals

// The state that outlives a process: all graphs are saved between two turns and resume elsewhere.

extension GraphRuntime {
  /// True during a turn.
  package var isBusy: Bool { engine.turns.isRunning }

  /// Returns the state of all graphs, between two turns; requires `keepsState`.
  ///
  /// Subscribers are left out, and so are programs, which are restarted.
  package func state() -> [UInt8] {
    precondition(engine.keepsState && !engine.turns.isRunning, "a state is what is there between two turns")
    var writer = StateEncoder()
    engine.encode(to: &writer)
    generation.encode(to: &writer)
    retired.encode(to: &writer)
    let all = signals + own.stored
    writer.count(all.count)
    for signal in all {
      writer.text(signal.name)
      writer.part { signal.encode(to: &$0) }
    }
    let calls = engine.calls.sorted { $0.key < $1.key }
    writer.count(calls.count)
    for (name, call) in calls {
      writer.text(name)
      writer.part { call.encode(to: &$0) }
    }
    let runs = all.flatMap(\.coldRuns)
    writer.count(runs.count)
    for run in runs {
      run.number.encode(to: &writer)
      writer.part { run.encode(to: &$0) }
    }
    return writer.bytes
  }

  /// Finishes calls without a caller: elsewhere their work would begin again.
  package func dropCancelledCalls() {
    for (_, call) in engine.calls.sorted(by: { $0.key < $1.key }) where call.isCancelled {
      call.finish(nil, status: nil)
    }
  }

  /// The bytes of each signal in the state.
  package var stateSizes: [String: Int] {
    let sizes = signals.map { signal in
      var writer = StateEncoder()
      signal.encode(to: &writer)
      return (signal.name, writer.bytes.count)
    }
    return Dictionary(uniqueKeysWithValues: sizes)
  }

  /// Resumes from a state of the same configuration without a visible interruption, in place of `start`.
  ///
  /// - Parameters:
  ///   - isPart: True if the state may contain other signals, which are left out.
  ///   - attach: Called when all signals are restored and before anything runs, to add subscribers and to resume runs
  ///     of cold signals with `resumeRun`.
  /// - Throws: If the state is damaged or of another configuration; the runtime must not be used then.
  package func resume(_ state: [UInt8], isPart: Bool = false, attach: () -> Void) throws(StateError) {
    try restore(state, isPart: isPart)
    if let mismatch = engine.mismatches.first { throw mismatch.error }
    rebuild(attach)
    if let mismatch = engine.mismatches.first { throw mismatch.error }
    resume()
  }

  /// Resumes from a state as far as it fits: a signal that cannot resume starts fresh, with all that is computed from
  /// it, as after a reload that has changed it.
  ///
  /// - Returns: The signals that cannot resume, with the reasons.
  /// - Throws: If the state as a whole cannot be decoded.
  package func resumeWhatFits(_ state: [UInt8], attach: () -> Void) throws(StateError) -> [StateMismatch] {
    try restore(state, isPart: false)
    rebuild(attach)
    let mismatches = engine.mismatches
    engine.discardMismatches()
    // The original of a mirror keeps running and emits more.
    let names = mismatches.map(\.signal).filter { signal(named: $0)?.isMirror == false }
    if !names.isEmpty { restartSignals(replacement(of: Set(names))) }
    resume()
    return mismatches
  }

  /// Restores all signals.
  private func restore(_ state: [UInt8], isPart: Bool) throws(StateError) {
    var reader = StateDecoder(state)
    try engine.restore(from: &reader)
    generation = try UInt64(from: &reader)
    retired = try RetiredNumbers(from: &reader)
    var missing = Set((signals + own.all).map(\.name))
    missing.subtract(own.later.map(\.name))
    for _ in 0..<(try reader.count()) {
      let name = try reader.text()
      var part = try reader.part()
      guard let signal = signal(named: name) else {
        if !isPart { engine.note(StateError("no signal \(name)"), of: name) }
        continue
      }
      guard missing.remove(name) != nil || own.later.contains(where: { $0 === signal }) else {
        throw StateError("duplicate state of \(name)")
      }
      do throws(StateError) { try signal.restore(from: &part) } catch {
        signal.discardKept()
        engine.note(error, of: name)
      }
    }
    for name in missing.sorted() { engine.note(StateError("missing state of \(name)"), of: name) }
    for _ in 0..<(try reader.count()) {
      let name = try reader.text()
      var part = try reader.part()
      guard let action = engine.actions[name] else { continue }
      engine.calls[name] = try ActionCall(of: action.declaration, engine: engine, from: &part)
    }
    for _ in 0..<(try reader.count()) { engine.keptRuns[try UInt64(from: &reader)] = try reader.part() }
    if !reader.isAtEnd { throw StateError("unexpected data after the end") }
  }

  /// Rebuilds all signals from their saved states.
  private func rebuild(_ attach: () -> Void) {
    engine.isReplacing = true
    attach()
    build(configuration.buildOrder)
    for signal in signals { signal.beginKeptRuns() }
    engine.isReplacing = false
    engine.keptRuns = [:]
    for signal in signals { signal.finishRestoring() }
  }

  private func resume() {
    for (_, call) in engine.calls.sorted(by: { $0.key < $1.key }) { call.resume() }
    if signals.contains(where: \.isWaitingForWorld) { attachToWorld() }
  }

  /// Attaches all signals to the world as a turn, which does not count if nothing is emitted.
  private func attachToWorld() {
    let (number, values) = (engine.turns.number, signals.map(\.sequence))
    engine.turns.run(isLimited: false) {
      for signal in signals { signal.attachToWorld() }
    }
    if signals.map(\.sequence) == values, signals.allSatisfy({ $0.end?.turn != engine.turns.number }) {
      engine.turns.number = number
    }
  }

  /// Resumes the run of a cold signal that was saved under a number.
  package func resumeRun(
    of signal: RunningSignal, number: UInt64, observer: @escaping (SignalEvent) -> Void
  ) -> ColdRun {
    let run = ColdRun(of: signal, number: number, kept: engine.keptRuns[number], observer: observer)
    signal.add(run)
    return run
  }
}
