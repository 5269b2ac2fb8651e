package import GraphEngine
package import GraphModel
import JSON
package import Signals

/// Graphs that run in virtual time, isolated from the outside: all external input is supplied by the owner.
package final class Rehearsal {
  package private(set) var runtime: GraphRuntime
  private var standIns: StandIns
  /// Creates the graphs and the stand-ins for their external sources.
  private let make: (_ isResuming: Bool) -> (GraphRuntime, StandIns)
  private let keepsState: Bool
  private var subscriptions: [Subscription] = []
  /// Called for each value that an expression rejected.
  var onRefusal: (RefusedValue) -> Void = { _ in } {
    didSet { runtime.onRefusal = onRefusal }
  }

  /// Called for each call of an action, with its value.
  var onCall: (_ action: String, Payload) -> Void = { _, _ in } {
    didSet { runtime.engine.onCall = onCall }
  }

  /// - Parameters:
  ///   - silenced: The signals whose own source is ignored, since all their events are supplied from outside.
  ///   - stubs: The signals without a body, whose events are supplied from outside.
  ///   - wallOffset: Seconds since 1970 at time 0 of the clock.
  ///   - keepsState: True to permit restoring the graphs from their state.
  ///   - recorder: Records what happens.
  package init(
    _ configuration: Configuration, silenced: Set<String> = [], stubs: Set<String> = [], wallOffset: Double = 0,
    keepsState: Bool = false, recorder: ProvenanceRecorder? = nil
  ) {
    self.keepsState = keepsState
    make = { isResuming in
      let standIns = StandIns(configuration.graphs.flatMap(\.signals), silenced: silenced)
      let runtime = GraphRuntime(
        configuration, world: SilentWorld(), now: .zero, wallOffset: wallOffset, standIns: standIns,
        mirrors: Mirrors { stubs.contains($0.name) }, keepsState: keepsState || recorder != nil,
        isResuming: isResuming, recorder: recorder)
      return (runtime, standIns)
    }
    (runtime, standIns) = make(false)
  }

  /// The time since the start.
  package var now: Duration { runtime.clock.now - .zero }

  /// Advances the time, without running the timers that are due then: values sent at an instant precede them.
  package func move(to time: Duration) { runtime.clock.move(to: .zero + time, stepping: true) }

  /// Runs everything that is due now.
  package func finishInstant() { runtime.clock.runDueTimers() }
}

// MARK: - Restarting

extension Rehearsal {
  /// Saves all graphs, discards them and restores them from their state; subscriptions persist.
  package func startAgain() throws(StateError) {
    let state = runtime.state()
    runtime.stop()
    (runtime, standIns) = make(true)
    runtime.onRefusal = onRefusal
    runtime.engine.onCall = onCall
    subscriptions.removeAll { !$0.isOpen }
    try runtime.resume(state) {
      for subscription in subscriptions { subscription.resume(in: runtime) }
    }
  }
}

// MARK: - External input

extension Rehearsal {
  /// Sends a value to a signal, or emits it as output of an action's call.
  func send(_ value: JSONValue, to name: String) throws(SendError) {
    guard let signal = runtime.signal(named: name) else { return try action(name).receive(.value(value)) }
    try send(value, to: signal, by: standIn(for: signal))
  }

  /// Sends a value to a signal, or emits it from the stand-in for its source.
  func send(_ value: JSONValue, to signal: RunningSignal, by standIn: StandIn?) throws(SendError) {
    if signal.isMirror { return try say(.next(.value(value), sequence: signal.sequence + 1), in: signal) }
    guard let standIn else { return try runtime.send(.value(value), to: signal) }
    try standIn.speak(in: signal) { $0.send(value: .value(value)) }
  }

  /// Ends a signal, or the call of an action.
  ///
  /// - Parameter status: The status of a failed call.
  func end(_ name: String, with ending: SignalEnding, status: Int32? = nil) throws(SendError) {
    guard let signal = runtime.signal(named: name) else { return try action(name).receive(ending, status: status) }
    if signal.isMirror { return try say(.ended(ending), in: signal) }
    guard let standIn = standIn(for: signal) else { return try runtime.end(signal, with: ending) }
    try standIn.end(in: signal, with: ending)
  }

  /// Emits an event from a stub.
  private func say(_ event: SignalEvent, in stub: RunningSignal) throws(SendError) {
    guard stub.ending == nil else { throw .ended }
    runtime.reflect(event, in: stub, at: runtime.clock.microseconds)
  }

  /// Returns the stand-in for a signal that does not accept values.
  func standIn(for signal: RunningSignal) -> StandIn? {
    signal.declaration.body.source.takesValues ? nil : standIns.standIn(forSignal: signal.name)
  }

  /// Calls an action; its program does not run.
  func call(_ name: String, with value: JSONValue) throws(SendError) {
    do throws(CallRefusal) {
      _ = try action(name).call(.value(value)) { _ in }
    } catch {
      let reason = error == .busy ? "the action is already running" : "the action is not enabled"
      throw .failed(SignalFailure(code: "refused", message: reason))
    }
  }

  private func action(_ name: String) -> RunningAction {
    guard let action = runtime.engine.actions[name] else { preconditionFailure("\(name) was checked") }
    return action
  }
}

// MARK: - Subscriptions

extension Rehearsal {
  /// A subscription to a signal, equivalent to that of a client.
  final class Subscription {
    private let signal: String
    private let body: (SignalEvent) -> Void
    /// The subscription's own run of a cold signal.
    private var run: ColdRun?
    /// That of the rehearsal, which outlives its subscriptions; a weak reference would slow down all others to it.
    private unowned var runtime: GraphRuntime
    fileprivate var isOpen = true

    fileprivate init(to signal: RunningSignal, in runtime: GraphRuntime, _ body: @escaping (SignalEvent) -> Void) {
      self.signal = signal.name
      self.body = body
      self.runtime = runtime
      if signal.isCold {
        run = runtime.startRun(of: signal, observer: body)
        return
      }
      for entry in signal.retained.latest(signal.retained.count) {
        body(.next(entry.payload, sequence: entry.sequence))
      }
      if let ending = signal.ending { body(.ended(ending)) }
      listen(to: signal)
      runtime.attach(to: signal)
    }

    private func listen(to signal: RunningSignal) {
      let others = signal.observer
      signal.observer = { [self] event in
        others?(event)
        if isOpen { body(event) }
      }
    }

    /// Follows the restored signal.
    fileprivate func resume(in runtime: GraphRuntime) {
      guard let signal = runtime.signal(named: signal) else { return }
      self.runtime = runtime
      if let run {
        self.run = runtime.resumeRun(of: signal, number: run.number, observer: body)
      } else {
        listen(to: signal)
        runtime.attach(to: signal)
      }
    }

    /// Cancels the subscription.
    func end() {
      guard isOpen else { return }
      isOpen = false
      run?.stop()
      if run == nil, let signal = runtime.signal(named: signal) { runtime.detach(from: signal) }
    }
  }

  /// Delivers the retained values, then all events; a cold signal gets a run of its own.
  func subscribe(to signal: RunningSignal, _ body: @escaping (SignalEvent) -> Void) -> Subscription {
    let subscription = Subscription(to: signal, in: runtime, body)
    if keepsState { subscriptions.append(subscription) }
    return subscription
  }
}
