/// A validated action: a program, or a method on a bus, that clients can call.
package struct ActionDeclaration: Sendable {
  /// `graph.action`.
  package let name: String
  /// The rights to call it and to subscribe to its signals, with its graph's rules merged in.
  package let access: AccessRules
  package let task: ActionTask
  /// The longest duration of a run.
  package let timeout: Duration?
  /// The declarations of its signals: see `ActionSignal`.
  package let signals: [SignalDeclaration]
  /// The button of Home Assistant that calls it, as an adapter announces it.
  package let button: NetworkAction?

  package init(
    name: String, access: AccessRules, task: ActionTask, timeout: Duration?, signals: [SignalDeclaration],
    button: NetworkAction?
  ) {
    self.name = name
    self.access = access
    self.task = task
    self.timeout = timeout
    self.signals = signals
    self.button = button
  }

  /// The full name of one of its signals.
  package func name(of signal: ActionSignal) -> String { signal.name(of: name) }
}

extension ActionDeclaration {
  /// The command of its program, if that stays from one call to the next.
  package var keptCommand: [String]? {
    if case .program(let program) = task, program.isKept { program.command.words } else { nil }
  }
}
