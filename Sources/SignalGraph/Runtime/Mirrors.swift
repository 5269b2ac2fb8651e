package import JSON

/// The signals of a runtime that only repeat what another runtime makes, and what goes from them to that other one.
///
/// Durable graphs run by themselves, so that they can be run again from what entered them: what they hear of other
/// graphs, and what those hear of them, passes through mirrors. A mirror has no body. It is told each event of its
/// original, counts it with the original's number, retains it and passes it on, as a turn of its own.
package final class Mirrors {
  private let isMirror: (SignalDeclaration) -> Bool
  /// A value was sent to a mirror from within the graphs.
  package var onSend: (RunningSignal, Payload) -> Void = { _, _ in }
  /// Somebody listens to the mirror of a lazy signal from now on, or nobody does any more.
  package var onListening: (RunningSignal, Bool) -> Void = { _, _ in }

  /// A call that a pipe makes has something to tell the action that the other runtime has.
  package var onNews: (_ action: String, ActionNews) -> Void = { _, _ in }

  package static var none: Mirrors { Mirrors { _ in false } }

  /// A signal has made an event that a mirror in the other runtime is to repeat.
  package var onEvent: (RunningSignal, SignalEvent) -> Void = { _, _ in }

  /// - Parameter isMirror: Whether a signal is a mirror.
  package init(_ isMirror: @escaping (SignalDeclaration) -> Bool) { self.isMirror = isMirror }

  /// Lets go of the other runtime: what goes there is lost.
  package func disconnect() {
    onSend = { _, _ in }
    onListening = { _, _ in }
    onNews = { _, _ in }
    onEvent = { _, _ in }
  }

  func contains(_ declaration: SignalDeclaration) -> Bool { isMirror(declaration) }
}

extension GraphRuntime {
  /// Tells of a value that an expression refused where the original of a mirror is.
  package func report(_ refusal: RefusedValue) { engine.onRefusal(refusal) }

  /// Has a mirror count what its original has lost.
  package func count(_ event: Losses.Event, in mirror: RunningSignal) { mirror.count(event) }

  /// Tells an action of a call that a pipe makes in another runtime.
  package func hear(_ news: ActionNews, of action: String) {
    guard let action = engine.actions[action] else { return }
    engine.turns.run { action.hearFromElsewhere(news) }
  }

  /// Has a signal count a value that `send_to` did not send, since too many were sent because of the same one.
  ///
  /// - Parameter circle: The signals through which they chase each other.
  package func dropPastChain(_ circle: [String], sentTo signal: RunningSignal) {
    func message(_ names: [String]) -> String {
      "more than \(engine.limits.chain) turns from one cause: \(names.joined(separator: " → ")) (limits.chain)"
    }
    signal.drop(
      past: message(circle), told: message(circle.map { self.signal(named: $0)?.publicName ?? $0 }), in: "send_to")
  }

  /// Has a mirror repeat an event of its original, as a turn of its own.
  ///
  /// - Parameters:
  ///   - event: A value with the original's number, or its ending.
  ///   - time: When it happened there, in microseconds since 1970.
  ///   - cause: The signal for whose ending the original has ended.
  package func reflect(_ event: SignalEvent, in mirror: RunningSignal, at time: Int64, cause: String? = nil) {
    let measured = clock.measuredTime
    clock.measuredTime = time
    if case .next = event, !mirror.hasDependents {
      engine.turns.runAlone { mirror.reflect(event, cause: cause) }
    } else {
      engine.turns.run { mirror.reflect(event, cause: cause) }
    }
    clock.measuredTime = measured
  }
}
