package import GraphModel
package import JSON

/// The mirrors of a runtime, which reflect signals of other runtimes, and the way back to those.
///
/// Durable graphs have a runtime of their own, so that they can be replayed from their inputs: events between them and
/// other graphs pass through mirrors, in both directions. A mirror has no body. It receives each event of its original,
/// counts it with the original's number, retains it and emits it, in a turn of its own.
package final class Mirrors {
  private let isMirror: (SignalDeclaration) -> Bool
  /// Called when a value was sent to a mirror from within the graphs.
  package var onSend: (RunningSignal, Payload) -> Void = { _, _ in }
  /// Called when a mirror of a lazy signal gains its first subscriber or loses its last: see `wantsOriginal`.
  package var onListening: (RunningSignal) -> Void = { _ in }

  /// Called for an event of a pipe's call whose action is in the other runtime.
  package var onActionEvent: (_ action: String, ActionEvent) -> Void = { _, _ in }

  package static var none: Mirrors { Mirrors { _ in false } }

  /// Called for an event of a signal that a mirror in another runtime reflects.
  package var onEvent: (RunningSignal, SignalEvent) -> Void = { _, _ in }

  /// - Parameter isMirror: Returns true for a mirror.
  package init(_ isMirror: @escaping (SignalDeclaration) -> Bool) { self.isMirror = isMirror }

  func contains(_ declaration: SignalDeclaration) -> Bool { isMirror(declaration) }
}

extension GraphRuntime {
  /// Starts or stops a lazy signal on behalf of its mirrors in other runtimes.
  ///
  /// This is a state and no count: it may be set again, and late. A signal that is a mirror itself asks its original.
  /// During a replacement, the signal starts or stops with the others.
  package func setMirror(of signal: RunningSignal, isObserved: Bool) {
    if signal.hasObservedMirror == isObserved { return }
    signal.hasObservedMirror = isObserved
    if signal.isMirror {
      if signal.isLazy { engine.mirrors.onListening(signal) }
      return
    }
    if isObserved { return wake(signal) }
    let rest = { [engine] in
      if !engine.isReplacing { signal.rest() }
    }
    if engine.turns.isRunning { engine.turns.atTurnEnd(rest) } else { rest() }
  }

  /// Returns the last number given to a value of the name, even if there is no such signal now.
  package func lastNumber(of name: String) -> UInt64 {
    max(signalsByName[name]?.sequence ?? 0, retired.number(of: name))
  }

  /// Reports a value that an expression refused in the runtime of a mirror's original.
  package func report(_ refusal: RefusedValue) { engine.onRefusal(refusal) }

  /// Makes a mirror count a loss of its original.
  package func count(_ event: Losses.Event, in mirror: RunningSignal) { mirror.count(event) }

  /// Publishes an event of a pipe's call in another runtime on the signals of its action.
  package func receive(_ event: ActionEvent, of action: String) {
    guard let action = engine.actions[action] else { return }
    engine.turns.run { action.receiveRemote(event) }
  }

  /// Makes a signal count a value that `send_to` dropped because one cause had led to too many turns.
  ///
  /// - Parameter circle: The signals that send to each other in a circle.
  package func dropPastChain(_ circle: [String], sentTo signal: RunningSignal) {
    func message(_ names: [String]) -> String {
      "more than \(engine.limits.chain) turns from one cause: \(names.joined(separator: " → ")) (limits.chain)"
    }
    signal.drop(
      past: message(circle), publicly: message(circle.map { self.signal(named: $0)?.publicName ?? $0 }), in: "send_to")
  }

  /// Makes a mirror reflect an event of its original, in a turn of its own.
  ///
  /// - Parameters:
  ///   - event: A value with the original's number, or its ending.
  ///   - key: The key of `group_by` whose pipe has emitted it.
  ///   - time: The time of the event there, in microseconds since 1970.
  ///   - cause: The signal whose ending caused the original's.
  package func reflect(
    _ event: SignalEvent, in mirror: RunningSignal, of key: EmittingKey? = nil, at time: Int64, cause: String? = nil
  ) {
    let measured = clock.measuredTime
    clock.measuredTime = time
    if key != nil { mirror.emittingKey = key }
    if case .next = event, !mirror.hasDependents {
      engine.turns.runAlone { mirror.reflect(event, cause: cause) }
    } else {
      engine.turns.run { mirror.reflect(event, cause: cause) }
    }
    if key != nil { mirror.emittingKey = nil }
    clock.measuredTime = measured
  }
}
