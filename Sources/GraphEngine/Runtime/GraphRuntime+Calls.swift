package import GraphModel
import Signals

/// The receiver of the values that wait in a signal.
package enum CallTarget: Sendable {
  /// An action that is called, by its full name.
  case action(String)
  /// A connection that messages are published over.
  case connection(String)

  package var name: String {
    switch self {
    case .action(let name), .connection(let name): name
    }
  }

  /// Describes what the end of a signal has lost.
  func loss(of count: Int) -> String {
    switch self {
    case .action(let name): count == 1 ? "a call of \(name) is not made" : "\(count) calls of \(name) are not made"
    case .connection(let name):
      count == 1
        ? "a message for the connection \(name) is not published"
        : "\(count) messages for the connection \(name) are not published"
    }
  }
}

/// The values waiting in one `call` of a signal, or to be published.
package struct WaitingCalls: Sendable {
  /// `nil` for who may not know it.
  package var target: CallTarget?
  /// The number of calls that are not done: those under way, those behind them, and a batch that is gathered.
  package let count: Int
  /// The time since which the oldest one waits, in microseconds since 1970.
  package let oldest: Int64?
  /// The failure of the last attempt.
  package let failure: NotedFailure?
  /// True while its senders have to wait.
  package let isFull: Bool
}

extension GraphRuntime {
  /// The values waiting in calls, by the full names of the signals that make them.
  package var waitingCalls: [String: [WaitingCalls]] {
    var calls: [String: [WaitingCalls]] = [:]
    for backlog in engine.backlogs.values.sorted(by: { $0.target.name < $1.target.name }) {
      calls[backlog.signal, default: []].append(
        WaitingCalls(
          target: backlog.target, count: backlog.count, oldest: backlog.oldest, failure: backlog.lastFailure,
          isFull: backlog.blocksSenders))
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
  /// True if what it reads can wait outside: in a file that grows, a program, the system journal or an adapter.
  ///
  /// The contents of a file are read as they are, and a bus does not wait.
  package var canWait: Bool {
    body.outsideSources.contains { source in
      !source.isHeld && source.needs.contains { if case .bus = $0 { false } else { true } }
    }
  }

  /// The signals of the actions that its pipes call.
  package var calledSignals: [String] {
    body.calls.flatMap { call in ActionSignal.visible.map { $0.name(of: call) } }
  }
}
