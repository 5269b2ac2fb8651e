package import ReactiveCore

// The state that outlives a process: all graphs are saved between two turns, and go on elsewhere from that.

extension GraphRuntime {
  /// Whether it is in the middle of a turn.
  package var isBusy: Bool { engine.turns.isRunning }

  /// The state of all graphs, between two turns; it needs `keepsState`.
  ///
  /// Listeners are left out, and so are programs, which are started anew.
  package func state() -> [UInt8] {
    precondition(engine.keepsState && !engine.turns.isRunning, "a state is what is there between two turns")
    var writer = StateWriter()
    engine.store(in: &writer)
    generation.store(in: &writer)
    retired.store(in: &writer)
    let all = signals + own.all
    writer.count(all.count)
    for signal in all {
      writer.text(signal.name)
      writer.part { signal.store(in: &$0) }
    }
    let calls = engine.calls.sorted { $0.key < $1.key }
    writer.count(calls.count)
    for (name, call) in calls {
      writer.text(name)
      writer.part { call.store(in: &$0) }
    }
    let runs = all.flatMap(\.coldRuns)
    writer.count(runs.count)
    for run in runs {
      run.number.store(in: &writer)
      writer.part { run.store(in: &$0) }
    }
    return writer.bytes
  }

  /// Has calls be over for which nobody waits any more: elsewhere their work would begin again.
  package func dropCancelledCalls() {
    for (_, call) in engine.calls.sorted(by: { $0.key < $1.key }) where call.isCancelled {
      call.finish(nil, status: nil)
    }
  }

  /// The bytes that each signal takes in the state.
  package var stateSizes: [String: Int] {
    let sizes = signals.map { signal in
      var writer = StateWriter()
      signal.store(in: &writer)
      return (signal.name, writer.bytes.count)
    }
    return Dictionary(uniqueKeysWithValues: sizes)
  }

  /// Goes on from a state of the same configuration, as if nothing had been between; in place of `start`.
  ///
  /// - Parameter attach: Called when all signals stand where they stood and before anything runs, to have those who
  ///   listen come, and runs of cold signals go on with `resumeRun`.
  /// - Throws: Where the state is damaged or of another configuration; then nothing may be done with this any more.
  package func resume(_ state: [UInt8], attach: () -> Void) throws(StateError) {
    var reader = StateReader(state)
    try engine.restore(from: &reader)
    generation = try UInt64(from: &reader)
    retired = try RetiredNumbers(from: &reader)
    var missing = Set((signals + own.all).map(\.name))
    for _ in 0..<(try reader.count()) {
      let name = try reader.text()
      var part = try reader.part()
      guard let signal = signal(named: name) else { throw StateError("there is no signal \(name) any more") }
      guard missing.remove(name) != nil else { throw StateError("\(name) was kept twice") }
      try signal.restore(from: &part)
    }
    if let name = missing.min() { throw StateError("nothing was kept of \(name)") }
    for _ in 0..<(try reader.count()) {
      let name = try reader.text()
      var part = try reader.part()
      guard let action = engine.actions[name] else { continue }
      engine.calls[name] = try ActionCall(of: action.declaration, engine: engine, from: &part)
    }
    for _ in 0..<(try reader.count()) { engine.keptRuns[try UInt64(from: &reader)] = try reader.part() }
    if !reader.isAtEnd { throw StateError("something follows it") }
    engine.isReplacing = true
    attach()
    build(configuration.buildOrder)
    for signal in signals { signal.beginKeptRuns() }
    engine.isReplacing = false
    engine.keptRuns = [:]
    for signal in signals { signal.finishRestoring() }
    if let error = engine.stateError { throw error }
    for (_, call) in engine.calls.sorted(by: { $0.key < $1.key }) { call.goOn() }
    if signals.contains(where: \.isWaitingForWorld) { attachToWorld() }
  }

  /// Has all attach themselves to the world, as a turn; where nothing is said it is none.
  private func attachToWorld() {
    let (number, values) = (engine.turns.number, signals.map(\.sequence))
    engine.turns.run {
      for signal in signals { signal.attachToWorld() }
    }
    if signals.map(\.sequence) == values, signals.allSatisfy({ $0.end?.turn != engine.turns.number }) {
      engine.turns.number = number
    }
  }

  /// Has the run of a cold signal go on that was written down under a number.
  package func resumeRun(
    of signal: RunningSignal, number: UInt64, observer: @escaping (SignalEvent) -> Void
  ) -> ColdRun {
    let run = ColdRun(of: signal, number: number, kept: engine.keptRuns[number], observer: observer)
    signal.add(run)
    return run
  }
}
