/// A program or a method on a bus that clients can have run, read and found right.
package struct ActionDeclaration: Sendable {
  /// `graph.action`.
  package let name: String
  /// The rights to call it and to listen to its signals, its graph's rules already included.
  package let access: AccessRules
  let task: ActionTask
  /// The longest time of a run.
  let timeout: Duration?
  /// The declarations of its signals: see `ActionSignal`.
  let signals: [SignalDeclaration]

  /// The full name of one of its signals.
  func name(of signal: ActionSignal) -> String { signal.name(of: name) }
}

/// The signals that an action has.
enum ActionSignal: String {
  /// Each output of any run.
  case values
  /// `{code, message}` for each run that fails, with the program's exit `status` where it has one.
  case errors
  /// Whether it runs.
  case executing
  /// Whether it may be called: its `enabled_if` is true, and it does not run.
  case enabled
  /// Whether its `enabled_if` is true, for the pipes that call it; nobody else sees it.
  case condition

  /// Those that everybody sees.
  static let visible: [ActionSignal] = [.values, .errors, .executing, .enabled]
  /// All, each behind those that it is computed from.
  static let all = [.condition] + visible

  /// Its full name.
  ///
  /// - Parameter action: That of its action.
  func name(of action: String) -> String { "\(action).\(rawValue)" }

  /// Whether it holds its last value, and has one from the start.
  var isHeld: Bool { self != .values && self != .errors }

  var documentation: String {
    switch self {
    case .values: "The values that the action has put out"
    case .errors: "Runs of the action that have failed"
    case .executing: "Whether the action runs"
    case .enabled: "Whether the action may be called now"
    case .condition: "Whether pipes may call the action now"
    }
  }
}
