import JSON
package import ReactiveCore

/// Graphs at work in virtual time, cut off from the world: everything from outside comes from the owner of this.
package final class Rehearsal {
  package private(set) var runtime: GraphRuntime
  private var standIns: StandIns
  /// Makes the graphs, and those who speak for the world around them.
  private let make: (_ isResuming: Bool) -> (GraphRuntime, StandIns)
  private let keepsState: Bool
  private var subscriptions: [Subscription] = []
  /// Told of each value that an expression refused.
  var onRefusal: (RefusedValue) -> Void = { _ in } {
    didSet { runtime.onRefusal = onRefusal }
  }

  /// Told of each call of an action, with its value.
  var onCall: (_ action: String, Payload) -> Void = { _, _ in } {
    didSet { runtime.engine.onCall = onCall }
  }

  /// - Parameters:
  ///   - silenced: The signals whose own source is not heard, since all they say comes from outside.
  ///   - stubs: The signals that have no body, since somebody outside says what they emit.
  ///   - wallOffset: Seconds since 1970 at the time 0 of the clock.
  ///   - keepsState: Whether it can be thrown away and go on.
  ///   - watch: Notes what happens.
  package init(
    _ configuration: Configuration, silenced: Set<String> = [], stubs: Set<String> = [], wallOffset: Double = 0,
    keepsState: Bool = false, watch: Watch? = nil
  ) {
    self.keepsState = keepsState
    make = { isResuming in
      let standIns = StandIns(configuration.graphs.flatMap(\.signals), silenced: silenced)
      let runtime = GraphRuntime(
        configuration, world: SilentWorld(), now: .zero, wallOffset: wallOffset, standIns: standIns,
        mirrors: Mirrors { stubs.contains($0.name) }, keepsState: keepsState || watch != nil,
        isResuming: isResuming, watch: watch)
      return (runtime, standIns)
    }
    (runtime, standIns) = make(false)
  }

  /// The time since the start.
  package var now: Duration { runtime.clock.now - .zero }

  /// Moves time on, short of the timers that are due then: what is sent at an instant comes before them.
  package func move(to time: Duration) { runtime.clock.move(to: .zero + time, stepping: true) }

  /// Lets what is due now happen.
  package func finishInstant() { runtime.clock.runDueTimers() }
}

// MARK: - Going on elsewhere

extension Rehearsal {
  /// Writes all graphs down, throws them away, and goes on from what was written; who listens stays.
  package func startAgain() throws(StateError) {
    let state = runtime.state()
    runtime.stop()
    (runtime, standIns) = make(true)
    runtime.onRefusal = onRefusal
    runtime.engine.onCall = onCall
    subscriptions.removeAll { !$0.isOpen }
    try runtime.resume(state) {
      for subscription in subscriptions { subscription.goOn(in: runtime) }
    }
  }
}

// MARK: - What comes from outside

extension Rehearsal {
  /// Sends a value to a signal, or has the call of an action put it out.
  func send(_ value: JSONValue, to name: String) throws(SendError) {
    guard let signal = runtime.signal(named: name) else { return try action(name).receive(.value(value)) }
    if signal.isMirror { return try say(.next(.value(value), sequence: signal.sequence + 1), in: signal) }
    guard let standIn = standIn(for: signal) else { return try runtime.send(.value(value), to: signal) }
    try standIn.speak(in: signal) { $0.send(value: .value(value)) }
  }

  /// Ends a signal, or the call of an action.
  func end(_ name: String, with ending: SignalEnding) throws(SendError) {
    guard let signal = runtime.signal(named: name) else { return try action(name).receive(ending) }
    if signal.isMirror { return try say(.ended(ending), in: signal) }
    guard let standIn = standIn(for: signal) else { return try runtime.end(signal, with: ending) }
    try standIn.end(in: signal, with: ending)
  }

  /// Has a stub say something.
  private func say(_ event: SignalEvent, in stub: RunningSignal) throws(SendError) {
    guard stub.ending == nil else { throw .ended }
    runtime.reflect(event, in: stub, at: runtime.clock.microseconds)
  }

  /// The stand-in for a signal that takes no values by itself.
  private func standIn(for signal: RunningSignal) -> StandIn? {
    signal.declaration.body.source.takesValues ? nil : standIns.standIn(forSignal: signal.name)
  }

  /// Calls an action, whose program does not run.
  func call(_ name: String, with value: JSONValue) throws(SendError) {
    do throws(CallRefusal) {
      _ = try action(name).call(.value(value)) { _ in }
    } catch {
      let reason = error == .busy ? "the action runs already" : "the action is not enabled"
      throw .failed(SignalFailure(code: "refused", message: reason))
    }
  }

  private func action(_ name: String) -> RunningAction {
    guard let action = runtime.engine.actions[name] else { preconditionFailure("\(name) was checked") }
    return action
  }
}

// MARK: - Who listens

extension Rehearsal {
  /// An observer that follows a signal as a client would.
  final class Subscription {
    private let signal: String
    private let body: (SignalEvent) -> Void
    /// The run that is its own, of a cold signal.
    private var run: ColdRun?
    private weak var runtime: GraphRuntime?
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

    /// Follows the same signal, which goes on elsewhere.
    fileprivate func goOn(in runtime: GraphRuntime) {
      guard let signal = runtime.signal(named: signal) else { return }
      self.runtime = runtime
      if let run {
        self.run = runtime.resumeRun(of: signal, number: run.number, observer: body)
      } else {
        listen(to: signal)
        runtime.attach(to: signal)
      }
    }

    /// Hears nothing more.
    func end() {
      guard isOpen else { return }
      isOpen = false
      run?.stop()
      if run == nil, let runtime, let signal = runtime.signal(named: signal) { runtime.detach(from: signal) }
    }
  }

  /// Tells the values for a new subscriber, then all that follows; of a cold signal, a run of its own.
  func subscribe(to signal: RunningSignal, _ body: @escaping (SignalEvent) -> Void) -> Subscription {
    let subscription = Subscription(to: signal, in: runtime, body)
    if keepsState { subscriptions.append(subscription) }
    return subscription
  }
}
