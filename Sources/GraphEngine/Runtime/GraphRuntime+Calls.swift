package import GraphModel
import ReactiveCore

/// The values waiting in one `call` of a signal.
package struct WaitingCalls: Sendable {
  /// The action, by its full name.
  package let action: String
  /// The number of values that are not done: those that are called for, and those behind them.
  package let count: Int
  /// The time since which the oldest one waits, in microseconds since 1970.
  package let oldest: Int64?
  /// The last failure of an attempt.
  package let failure: NotedFailure?
}

extension GraphRuntime {
  /// The values waiting in calls, by the full names of the signals that make them.
  package var waitingCalls: [String: [WaitingCalls]] {
    var calls: [String: [WaitingCalls]] = [:]
    for backlog in engine.backlogs.values.sorted(by: { $0.action < $1.action }) {
      calls[backlog.signal, default: []].append(
        WaitingCalls(
          action: backlog.action, count: backlog.count, oldest: backlog.oldest, failure: backlog.lastFailure))
    }
    return calls
  }

  /// Called whenever so much waits in a call of a signal that its senders have to wait, and when that is over.
  package var onCongestion: (_ signal: String, Bool) -> Void {
    get { engine.onCongestion }
    set {
      engine.onCongestion = newValue
      for backlog in engine.backlogs.values where backlog.blocksSenders { newValue(backlog.signal, true) }
    }
  }
}

extension SignalDeclaration {
  /// True if the daemon reads its values from files, programs, buses or journals.
  package var readsOutside: Bool { !body.outsideSources.isEmpty && !body.isOnNetwork }
}
