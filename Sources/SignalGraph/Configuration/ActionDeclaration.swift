/// A validated action: a program, or a method on a bus, that clients can call.
package struct ActionDeclaration: Sendable {
  /// `graph.action`.
  package let name: String
  /// The rights to call it and to subscribe to its signals, with its graph's rules merged in.
  package let access: AccessRules
  let task: ActionTask
  /// The longest duration of a run.
  let timeout: Duration?
  /// The declarations of its signals: see `ActionSignal`.
  let signals: [SignalDeclaration]
  /// The button of Home Assistant that calls it, as an adapter announces it.
  let button: NetworkAction?

  /// The full name of one of its signals.
  func name(of signal: ActionSignal) -> String { signal.name(of: name) }
}

extension ActionDeclaration {
  /// The command of its program, if that stays from one call to the next.
  package var keptCommand: [String]? {
    if case .program(let program) = task, program.isKept { program.command.words } else { nil }
  }
}
