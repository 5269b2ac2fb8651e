import JSON
import ReactiveCore

/// Graphs at work in virtual time, cut off from the world: everything from outside comes from the owner of this.
package final class Rehearsal {
  package let runtime: GraphRuntime
  private let world = SilentWorld()
  private let standIns: StandIns

  /// - Parameters:
  ///   - silenced: The signals whose own source is not heard, since all they say comes from outside.
  ///   - wallOffset: Seconds since 1970 at the time 0 of the clock.
  package init(_ configuration: Configuration, silenced: Set<String> = [], wallOffset: Double = 0) {
    standIns = StandIns(configuration.graphs.flatMap(\.signals), silenced: silenced)
    runtime = GraphRuntime(configuration, world: world, now: .zero, wallOffset: wallOffset, standIns: standIns)
  }

  /// The time since the start.
  package var now: Duration { runtime.clock.now - .zero }

  /// Moves time on, short of the timers that are due then: what is sent at an instant comes before them.
  package func move(to time: Duration) { runtime.clock.move(to: .zero + time, stepping: true) }

  /// Lets what is due now happen.
  package func finishInstant() { runtime.clock.runDueTimers() }
}

// MARK: - What comes from outside

extension Rehearsal {
  /// Sends a value to a signal, or has the call of an action put it out.
  func send(_ value: JSONValue, to name: String) throws(SendError) {
    guard let signal = runtime.signal(named: name) else { return try action(name).receive(.value(value)) }
    guard let standIn = standIn(for: signal) else { return try runtime.send(.value(value), to: signal) }
    try standIn.speak(in: signal) { $0.send(value: .value(value)) }
  }

  /// Ends a signal, or the call of an action.
  func end(_ name: String, with ending: SignalEnding) throws(SendError) {
    guard let signal = runtime.signal(named: name) else { return try action(name).receive(ending) }
    guard let standIn = standIn(for: signal) else { return try runtime.end(signal, with: ending) }
    try standIn.end(in: signal, with: ending)
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
    fileprivate var isOpen = true
    private let leave: () -> Void

    fileprivate init(leave: @escaping () -> Void) { self.leave = leave }

    /// Hears nothing more.
    func end() {
      guard isOpen else { return }
      isOpen = false
      leave()
    }
  }

  /// Tells the values for a new subscriber, then all that follows; of a cold signal, a run of its own.
  func subscribe(to signal: RunningSignal, _ body: @escaping (SignalEvent) -> Void) -> Subscription {
    if signal.isCold {
      let run = runtime.startRun(of: signal, observer: body)
      return Subscription { run.stop() }
    }
    for entry in signal.retained.latest(signal.retained.count) {
      body(.next(entry.payload, sequence: entry.sequence))
    }
    if let ending = signal.ending { body(.ended(ending)) }
    let others = signal.observer
    // The signal keeps its observers, which must not keep the signal.
    let subscription = Subscription { [weak runtime, weak signal] in
      if let signal { runtime?.detach(from: signal) }
    }
    signal.observer = { event in
      others?(event)
      if subscription.isOpen { body(event) }
    }
    runtime.attach(to: signal)
    return subscription
  }
}
